import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.http.StreamResponse;
import com.openai.errors.OpenAIServiceException;
import com.openai.models.audio.AudioResponseFormat;
import com.openai.models.audio.transcriptions.TranscriptionCreateParams;
import com.openai.models.audio.transcriptions.TranscriptionCreateParams.ChunkingStrategy.VadConfig;
import com.openai.models.audio.transcriptions.TranscriptionCreateParams.TimestampGranularity;
import com.openai.models.audio.transcriptions.TranscriptionCreateResponse;
import com.openai.models.audio.transcriptions.TranscriptionInclude;
import com.openai.models.audio.transcriptions.TranscriptionStreamEvent;
import com.openai.models.audio.translations.TranslationCreateParams;
import java.io.FileInputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

/** OpenAI's official library for Java, with validation of every answer against its types. */
public final class OpenAiJava {
    private static final Path WAV = Path.of(Rows.given("WAV"));
    private static final OpenAIClient CLIENT = OpenAIOkHttpClient.builder().baseUrl(Rows.given("URL") + "/v1").apiKey("none")
        .maxRetries(0).responseValidation(true).build();

    interface Change extends UnaryOperator<TranscriptionCreateParams.Builder> {}

    private static TranscriptionCreateParams params(String model, Change change) {
        return change.apply(TranscriptionCreateParams.builder().file(WAV).model(model)).build();
    }

    private static TranscriptionCreateResponse transcribe(String model, Change change) {
        return CLIENT.audio().transcriptions().create(params(model, change)).validate();
    }

    private static String text(String model, Change change) {
        return Rows.heard(transcribe(model, change).asTranscription().text());
    }

    private static String verbose() {
        var answer = transcribe("whisper-1", b -> b.responseFormat(AudioResponseFormat.VERBOSE_JSON)
            .addTimestampGranularity(TimestampGranularity.WORD).addTimestampGranularity(TimestampGranularity.SEGMENT)).asVerbose();
        Rows.heard(answer.text());
        return answer.words().get().size() + " words, " + answer.segments().get().size() + " segments, " + answer.language();
    }

    private static String diarized() {
        var segment = transcribe("gpt-4o-transcribe-diarize",
            b -> b.responseFormat(AudioResponseFormat.DIARIZED_JSON).chunkingStrategyAuto()).asDiarized().segments().get(0);
        return Rows.heard(segment.speaker() + ": " + segment.text());
    }

    private static String stream(String model, Change change) {
        var text = new StringBuilder();
        try (StreamResponse<TranscriptionStreamEvent> events = CLIENT.audio().transcriptions().createStreaming(params(model, change))) {
            events.stream().forEach(event -> {
                event.validate();
                if (event.isTranscriptTextSegment()) text.append(event.asTranscriptTextSegment().text());
                if (event.isTranscriptTextDone()) {
                    text.setLength(0);
                    text.append(event.asTranscriptTextDone().text());
                    event.asTranscriptTextDone().usage().ifPresent(usage -> Rows.want(usage.totalTokens() > 0, usage));
                }
            });
        }
        return Rows.heard(text.toString());
    }

    private static String refused(int status, String code, Rows.Act act) throws Exception {
        try {
            act.run();
        } catch (OpenAIServiceException error) {
            Rows.want(error.statusCode() == status && error.code().orElse("").equals(code), error);
            return error.getMessage();
        }
        throw new IllegalStateException("it was taken");
    }

    public static void main(String[] arguments) {
        Rows.row("json", () -> text("whisper-1", b -> b));
        for (var format : List.of(AudioResponseFormat.TEXT, AudioResponseFormat.SRT, AudioResponseFormat.VTT))
            Rows.row(format.toString(), () -> text("whisper-1", b -> b.responseFormat(format)));
        Rows.row("verbose_json with words", OpenAiJava::verbose);
        Rows.row("diarized_json", OpenAiJava::diarized);
        Rows.row("json with logprobs", () -> text("gpt-4o-transcribe", b -> b.addInclude(TranscriptionInclude.LOGPROBS)));
        Rows.row("json with timestamp granularities", () -> text("gpt-4o-transcribe", b -> b.addTimestampGranularity(TimestampGranularity.WORD)));
        Rows.row("chunking_strategy server_vad", () -> text("gpt-4o-transcribe",
            b -> b.chunkingStrategy(VadConfig.builder().type(VadConfig.Type.SERVER_VAD).threshold(0.5).build())));
        Rows.row("language en-US", () -> text("whisper-1", b -> b.language("en-US")));
        Rows.row("keywords and languages", () -> {
            var answer = transcribe("gpt-transcribe", b -> b.keywords(List.of("Asterisk")).languages(List.of("en", "de"))).asTranscription();
            return "languages " + answer.languages().map(Object::toString).orElseThrow();
        });
        Rows.row("an InputStream without a name", () -> text("whisper-1", b -> {
            try {
                return b.file(new FileInputStream(WAV.toFile()));
            } catch (java.io.IOException error) {
                throw new java.io.UncheckedIOException(error);
            }
        }));
        Rows.row("stream", () -> stream("gpt-4o-transcribe", b -> b));
        Rows.row("stream with logprobs", () -> stream("gpt-4o-transcribe", b -> b.addInclude(TranscriptionInclude.LOGPROBS)));
        Rows.row("stream of speakers", () -> stream("gpt-4o-transcribe-diarize",
            b -> b.responseFormat(AudioResponseFormat.DIARIZED_JSON).chunkingStrategyAuto()));
        Rows.row("translation", () -> Rows.heard(CLIENT.audio().translations().create(
            TranslationCreateParams.builder().file(WAV).model("whisper-1").build()).validate().asTranslation().text()));
        Rows.row("translation verbose_json", () -> Rows.heard(CLIENT.audio().translations().create(TranslationCreateParams.builder()
            .file(WAV).model("whisper-1").responseFormat(TranslationCreateParams.ResponseFormat.VERBOSE_JSON).build()).validate().asVerbose().text()));
        Rows.row("unknown model", () -> refused(404, "model_not_found", () -> text("gpt-9", b -> b)));
        Rows.row("empty file", () -> refused(400, "empty_input", () -> text("whisper-1", b -> b.file(new byte[0]))));
        Rows.row("models, one with a slash", () -> {
            CLIENT.models().list().autoPager().forEach(model -> model.validate());
            return CLIENT.models().retrieve("Systran/faster-whisper-base").validate().id();
        });
        System.exit(0);
    }
}
