import com.openai.models.audio.AudioResponseFormat;
import com.openai.models.audio.transcriptions.TranscriptionCreateParams.TimestampGranularity;
import java.util.List;
import org.springframework.ai.audio.transcription.AudioTranscriptionPrompt;
import org.springframework.ai.openai.OpenAiAudioTranscriptionModel;
import org.springframework.ai.openai.OpenAiAudioTranscriptionOptions;
import org.springframework.core.io.FileSystemResource;

/** Spring AI's model of transcription: every format, and the reactive stream. */
public final class SpringAi {
    private static final AudioTranscriptionPrompt PROMPT = new AudioTranscriptionPrompt(new FileSystemResource(Rows.given("WAV")));

    private static OpenAiAudioTranscriptionModel model(String name, AudioResponseFormat format, List<TimestampGranularity> times) {
        OpenAiAudioTranscriptionOptions.Builder options = OpenAiAudioTranscriptionOptions.builder();
        options = options.baseUrl(Rows.given("URL") + "/v1");
        options.apiKey("none");
        options.model(name);
        options.maxRetries(0);
        if (format != null) options.responseFormat(format);
        if (!times.isEmpty()) options.timestampGranularities(times);
        return OpenAiAudioTranscriptionModel.builder().options(options.build()).build();
    }

    private static String call(String name, AudioResponseFormat format, TimestampGranularity... times) {
        return Rows.heard(model(name, format, List.of(times)).call(PROMPT).getResult().getOutput());
    }

    public static void main(String[] arguments) {
        Rows.row("default", () -> call("whisper-1", null));
        for (var format : List.of(AudioResponseFormat.JSON, AudioResponseFormat.TEXT, AudioResponseFormat.SRT, AudioResponseFormat.VTT))
            Rows.row(format.toString(), () -> call("whisper-1", format));
        Rows.row("verbose_json with words", () ->
            call("whisper-1", AudioResponseFormat.VERBOSE_JSON, TimestampGranularity.WORD, TimestampGranularity.SEGMENT));
        Rows.row("json with timestamp granularities", () -> call("gpt-4o-transcribe", AudioResponseFormat.JSON, TimestampGranularity.WORD));
        Rows.row("diarized_json", () -> call("gpt-4o-transcribe-diarize", AudioResponseFormat.DIARIZED_JSON));
        Rows.row("stream", () -> {
            var text = new StringBuilder();
            model("gpt-4o-transcribe", null, List.of()).stream(PROMPT).doOnNext(part -> {
                if (part.getResult() != null) text.append(part.getResult().getOutput());
            }).blockLast();
            return Rows.heard(text.toString());
        });
        Rows.row("unknown model", () -> {
            try {
                call("gpt-9", null);
            } catch (com.openai.errors.NotFoundException error) {
                return error.getMessage();
            }
            throw new IllegalStateException("it was taken");
        });
        System.exit(0);
    }
}
