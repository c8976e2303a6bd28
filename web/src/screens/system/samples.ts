export type SampleName = "curl" | "python" | "job" | "mcp";

export type Sample = { name: SampleName; text: string };

// Returns examples that work as they are, but for the key where one is asked for.
export function samplesFor(base: string, withKey: boolean): Sample[] {
  const header = withKey ? ' -H "Authorization: Bearer $KEY"' : "";
  const python = [
    "from openai import OpenAI",
    "",
    `client = OpenAI(base_url="${base}/v1", api_key=${withKey ? '"KEY"' : '"none"'})`,
    'with open("talk.mp3", "rb") as file:',
    '    print(client.audio.transcriptions.create(model="whisper-1", file=file).text)',
  ];
  const server = withKey
    ? { url: `${base}/mcp`, headers: { Authorization: "Bearer KEY" } }
    : { url: `${base}/mcp` };
  return [
    { name: "curl", text: `curl${header} -F model=whisper-1 -F file=@talk.mp3 ${base}/v1/audio/transcriptions` },
    { name: "python", text: python.join("\n") },
    { name: "job", text: `curl${header} -F file=@talk.mp3 ${base}/v1/jobs` },
    { name: "mcp", text: JSON.stringify({ mcpServers: { scribed: server } }, null, 2) },
  ];
}
