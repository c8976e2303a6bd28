import dev.langchain4j.data.audio.Audio;
import dev.langchain4j.exception.ModelNotFoundException;
import dev.langchain4j.model.audio.AudioTranscriptionRequest;
import dev.langchain4j.model.openai.OpenAiAudioTranscriptionModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** LangChain4j's model of transcription. */
public final class LangChain4j {
    private static String transcribe(String model, String language) throws Exception {
        var audio = Audio.builder().binaryData(Files.readAllBytes(Path.of(Rows.given("WAV")))).mimeType("audio/wav").build();
        return OpenAiAudioTranscriptionModel.builder().baseUrl(Rows.given("URL") + "/v1").apiKey("none").modelName(model).maxRetries(0)
            .build().transcribe(AudioTranscriptionRequest.builder(audio).language(language).temperature(0.0).build()).text();
    }

    public static void main(String[] arguments) {
        for (String model : List.of("whisper-1", "gpt-4o-transcribe", "gpt-transcribe"))
            Rows.row("model " + model, () -> Rows.heard(transcribe(model, "en")));
        Rows.row("language en-US", () -> Rows.heard(transcribe("whisper-1", "en-US")));
        Rows.row("unknown model", () -> {
            try {
                transcribe("gpt-9", "en");
            } catch (ModelNotFoundException error) {
                return error.getMessage();
            }
            throw new IllegalStateException("it was taken");
        });
        System.exit(0);
    }
}
