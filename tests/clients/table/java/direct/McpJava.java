import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpSchema.BlobResourceContents;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceRequest;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** The official library of MCP for Java over HTTP, which checks structured content against the tools' schemas. */
public final class McpJava {
    public static void main(String[] arguments) {
        var steps = new AtomicInteger();
        var client = McpClient.sync(HttpClientStreamableHttpTransport.builder(Rows.given("URL")).build())
            .progressConsumer(progress -> steps.incrementAndGet()).enableCallToolSchemaCaching(true).build();
        var job = new String[1];
        Rows.row("connect", () -> "protocol " + client.initialize().protocolVersion());
        Rows.row("list of tools", () -> client.listTools().tools().size() + " tools");
        Rows.row("transcribe with progress", () -> {
            var answer = client.callTool(CallToolRequest.builder("transcribe").arguments(Map.of("path", Rows.given("WAV"),
                "segments", true, "timestamps", "word")).progressToken("progress").build());
            var data = (Map<?, ?>) answer.structuredContent();
            job[0] = (String) data.get("job");
            Rows.want(steps.get() > 0, "no progress");
            return Rows.heard((String) data.get("text"));
        });
        for (String tool : new String[] {"list_jobs", "list_models", "status"})
            Rows.row(tool + " by its schema", () -> {
                var answer = client.callTool(CallToolRequest.builder(tool).arguments(Map.of()).build());
                Rows.want(!Boolean.TRUE.equals(answer.isError()), answer.content());
                return "valid";
            });
        Rows.row("read transcript as srt and docx", () -> {
            var docx = client.readResource(ReadResourceRequest.builder("transcript://" + job[0] + ".docx").build()).contents().get(0);
            Rows.want(((BlobResourceContents) docx).blob().length() > 1000, "a short document");
            var srt = client.readResource(ReadResourceRequest.builder("transcript://" + job[0] + ".srt").build()).contents().get(0);
            return Rows.heard(((TextResourceContents) srt).text());
        });
        Rows.row("prompts", () -> client.listPrompts().prompts().size() + " prompts");
        Rows.row("path that is not allowed", () -> {
            Rows.want(client.callTool(CallToolRequest.builder("transcribe").arguments(Map.of("path", "/etc/shadow")).build()).isError(),
                "the path was taken");
            return "a tool error";
        });
        Rows.row("ping and close", () -> {
            client.ping();
            client.closeGracefully();
            return "both";
        });
        System.exit(0);
    }
}
