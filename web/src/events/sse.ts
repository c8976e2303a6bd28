// Reads server-sent events out of text that comes in pieces of any size.

export interface Message {
  id: string | null;
  data: string;
}

export class SseReader {
  private rest = "";
  private data: string[] = [];
  private id: string | null = null;

  // Returns the messages that `text` completes. A comment, which servers send to keep a line open,
  // is none.
  read(text: string): Message[] {
    const lines = (this.rest + text).split(/\r\n|\n|\r(?!$)/);
    this.rest = lines.pop() ?? "";
    const messages: Message[] = [];
    for (const line of lines) {
      if (line === "") this.finish(messages);
      else this.take(line);
    }
    return messages;
  }

  private take(line: string): void {
    const colon = line.indexOf(":");
    if (colon === 0) return;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "data") this.data.push(value);
    if (field === "id") this.id = value;
  }

  private finish(messages: Message[]): void {
    if (this.data.length > 0) messages.push({ id: this.id, data: this.data.join("\n") });
    this.data = [];
    this.id = null;
  }
}
