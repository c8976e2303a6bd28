import assert from "node:assert/strict";
import { test } from "node:test";
import { Line, type LineEvents, type Socket } from "../../../src/screens/live/line.ts";
import { completed } from "../../../src/screens/live/server_events.ts";

class FakeSocket implements Socket {
  onopen: Socket["onopen"] = null;
  onmessage: Socket["onmessage"] = null;
  onclose: Socket["onclose"] = null;
  readonly sent: Record<string, unknown>[] = [];
  isClosed = false;

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {
    this.isClosed = true;
    this.break();
  }
  break(): void {
    this.onclose?.({ code: 1006, reason: "" });
  }
  tell(event: object): void {
    this.onmessage?.({ data: JSON.stringify(event) });
  }
  kinds(): unknown[] {
    return this.sent.map(({ type }) => type);
  }
}

// A line whose sockets and clock are in the hands of the test.
function play(title: ((part: number) => string) | null = (part) => `Talk ${part}`) {
  const sockets: FakeSocket[] = [];
  const waits: { seconds: number; work: () => void }[] = [];
  const log: unknown[] = [];
  const events: LineEvents = {
    onEvent: ({ type }) => log.push(type),
    onUp: () => log.push("up"),
    onDown: (retry_s) => log.push(["down", retry_s]),
    onLost: (seconds) => log.push(["lost", seconds]),
    onEnd: () => log.push("end"),
  };
  const world = {
    connect: () => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket;
    },
    later: (seconds: number, work: () => void) => {
      const wait = { seconds, work };
      waits.push(wait);
      return () => void waits.splice(0, waits.length, ...waits.filter((one) => one !== wait));
    },
  };
  const line = new Line({ rate: 10, language: "de", speakers: false, title }, events, world);
  const socket = () => sockets.at(-1)!;
  const pass = () => waits.splice(0).forEach(({ work }) => work());
  return { line, socket, sockets, waits, pass, log };
}

const second = () => new Int16Array(10);

test("a session says what its sound is, and that it is to be kept, before any sound", () => {
  const { line, socket } = play();
  line.push(second());
  assert.deepEqual(socket().sent, []);
  socket().onopen?.();
  assert.deepEqual(socket().kinds(), ["session.update", "scribed.keep", "input_audio_buffer.append"]);
  assert.deepEqual(socket().sent[0]?.session, {
    type: "transcription",
    audio: { input: { format: { type: "audio/pcm", rate: 10 }, transcription: { language: "de" } } },
    include: ["scribed.tail"],
  });
  assert.equal(socket().sent[1]?.title, "Talk 1");
});

test("a session that is not kept does not ask for it", () => {
  const { socket } = play(null);
  socket().onopen?.();
  assert.deepEqual(socket().kinds(), ["session.update"]);
});

test("sound that comes while the line is broken is sent when it stands again", () => {
  const { line, socket, pass, log, waits } = play();
  socket().onopen?.();
  socket().break();
  line.push(second());
  assert.equal(waits[0]?.seconds, 1);
  pass();
  socket().onopen?.();
  assert.deepEqual(socket().kinds(), ["session.update", "scribed.keep", "input_audio_buffer.append"]);
  assert.equal(socket().sent[1]?.title, "Talk 2");
  assert.deepEqual(log, ["up", ["down", 1], "up"]);
});

test("what is too old by then is told of as lost", () => {
  const { line, socket, pass, log } = play();
  socket().onopen?.();
  socket().break();
  for (let s = 0; s < 75; s += 1) line.push(second());
  pass();
  socket().onopen?.();
  assert.deepEqual(log.at(-1), ["lost", 15]);
});

test("pauses between tries grow until something is heard", () => {
  const { socket, pass, waits } = play();
  socket().onopen?.();
  const pauses: number[] = [];
  for (let n = 0; n < 8; n += 1) {
    socket().break();
    pauses.push(waits[0]!.seconds);
    pass();
    if (n === 3) socket().onopen?.(); // which is not enough
    if (n === 5) socket().tell({ type: "scribed.tail", item_id: null, text: "", heard_s: 1 });
  }
  assert.deepEqual(pauses, [1, 2, 4, 8, 15, 15, 1, 2]);
});

test("a line that has never stood is not tried again by itself", () => {
  const { line, socket, sockets, waits, log } = play();
  socket().break();
  assert.deepEqual(log, [["down", null]]);
  assert.deepEqual(waits, []);
  line.retry();
  assert.equal(sockets.length, 2);
});

test("the end waits for the text of all turns", () => {
  const { line, socket, log } = play();
  socket().onopen?.();
  line.push(second());
  socket().tell({ type: "input_audio_buffer.committed", item_id: "a" });
  line.finish();
  line.push(second());
  assert.deepEqual(socket().kinds().slice(-2), ["input_audio_buffer.commit", "input_audio_buffer.clear"]);
  socket().tell({ type: "error", error: { code: "input_audio_buffer_commit_empty", message: "", event_id: "commit" } });
  socket().tell({ type: "input_audio_buffer.cleared" });
  assert.ok(!log.includes("end") && !log.includes("error"));
  socket().tell({ type: completed, item_id: "a", transcript: "Yes." });
  assert.equal(log.at(-1), "end");
  assert.ok(socket().isClosed);
});

test("the end does not wait for ever, nor for a line that breaks", () => {
  const { line, socket, pass, log } = play();
  socket().onopen?.();
  line.finish();
  pass();
  assert.equal(log.at(-1), "end");
  const broken = play();
  broken.socket().onopen?.();
  broken.line.finish();
  broken.socket().break();
  assert.deepEqual(broken.log, ["up", "end"]);
});

test("the lag is what was sent and not heard", () => {
  const { line, socket } = play();
  socket().onopen?.();
  for (let s = 0; s < 8; s += 1) line.push(second());
  assert.equal(line.lag_s, 0, "the daemon has told nothing of it");
  socket().tell({ type: "scribed.tail", item_id: null, text: "", heard_s: 3 });
  assert.equal(line.lag_s, 5);
});
