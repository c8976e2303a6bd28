// The line to the daemon: one live session after the other, on sockets that may break. Sound that
// has no line waits here, and is sent when there is one again.
import { base64Of } from "./base64.ts";
import { committed, isEnd, parseEvent, type LiveEvent } from "./server_events.ts";
import { WaitingSound } from "./waiting_sound.ts";

// The part of a WebSocket that is used here.
export interface Socket {
  onopen: (() => void) | null;
  onmessage: ((message: { data: string }) => void) | null;
  onclose: ((close: { code: number; reason: string }) => void) | null;
  send: (text: string) => void;
  close: () => void;
}

export interface Wishes {
  rate: number; // of the sound
  language: string; // a code; "": the daemon finds out
  speakers: boolean; // tell them apart
  // Names the recording that a session is kept as: each time that the line stands again it is
  // another one, from 1 on. null: nothing is kept.
  title: ((part: number) => string) | null;
}

export interface LineEvents {
  onEvent: (event: LiveEvent) => void;
  onUp: () => void;
  // The line is gone. It is tried again after so many seconds; null: when somebody calls retry(),
  // because it has never stood, so that the daemon may not want it.
  onDown: (retry_s: number | null) => void;
  onLost: (seconds: number) => void; // of sound, at this place
  onEnd: () => void; // after finish(): all that was heard has its text, or the line is gone
}

// The world around a line, which tests put in the place of the browser's.
export interface World {
  connect: () => Socket;
  later: (seconds: number, work: () => void) => () => void; // returns what calls it off
}

// A name of OpenAI's: the daemon takes the model for live sound, and tells speakers apart.
const telling_speakers = "gpt-4o-transcribe-diarize";

const most_pause_s = 15;
const most_end_s = 30; // for the text of the last turn

export class Line {
  private readonly wishes: Wishes;
  private readonly events: LineEvents;
  private readonly world: World;
  private readonly waiting = new WaitingSound();
  private socket: Socket | null = null;
  private isUp = false;
  private part = 0; // how often it has stood
  private tries = 0; // since anything was heard
  private readonly open = new Set<string>(); // turns that were committed and have no text yet
  private isFinishing = false;
  private isCleared = false; // the daemon knows of no further turns
  private isOver = false;
  private sent = 0;
  private heard: number | null = null;
  private callOff: () => void = () => undefined;

  constructor(wishes: Wishes, events: LineEvents, world: World) {
    this.wishes = wishes;
    this.events = events;
    this.world = world;
    this.connect();
  }

  // How far the text is behind the sound, as far as the daemon has told.
  get lag_s(): number {
    return this.heard === null ? 0 : Math.max(0, this.sent - this.heard);
  }

  push(samples: Int16Array<ArrayBuffer>): void {
    if (this.isFinishing || this.isOver) return;
    this.waiting.add(samples, this.wishes.rate);
    if (this.isUp) this.flush();
  }

  // The turn at hand ends here, because nothing follows for a while.
  endTurn(): void {
    if (this.isUp) this.say({ type: "input_audio_buffer.commit", event_id: "commit" });
  }

  // Tries at once.
  retry(): void {
    if (this.socket !== null || this.isOver) return;
    this.callOff();
    this.connect();
  }

  // No more sound follows. onEnd comes when all has its text, or after half a minute.
  finish(): void {
    if (this.isFinishing || this.isOver) return;
    this.isFinishing = true;
    if (!this.isUp) return this.end();
    this.endTurn();
    this.say({ type: "input_audio_buffer.clear" });
    this.callOff = this.world.later(most_end_s, () => this.end());
  }

  private connect(): void {
    const socket = this.world.connect();
    this.socket = socket;
    socket.onopen = () => this.begin();
    socket.onmessage = ({ data }) => {
      const event = parseEvent(data);
      if (event !== null) this.take(event);
    };
    socket.onclose = () => this.down();
  }

  private begin(): void {
    const { rate, language, speakers, title } = this.wishes;
    this.isUp = true;
    this.part += 1;
    this.sent = 0;
    this.heard = null;
    const transcription = {
      ...(speakers ? { model: telling_speakers } : {}),
      language: language === "" ? null : language,
    };
    const input = { format: { type: "audio/pcm", rate }, transcription };
    const session = { type: "transcription", audio: { input }, include: ["scribed.tail"] };
    this.say({ type: "session.update", session });
    if (title !== null) this.say({ type: "scribed.keep", title: title(this.part) });
    this.events.onUp();
    this.flush();
  }

  private flush(): void {
    const { blocks, lost_s } = this.waiting.take();
    if (lost_s > 0) this.events.onLost(lost_s);
    for (const { samples, seconds } of blocks) {
      this.say({ type: "input_audio_buffer.append", audio: base64Of(samples) });
      this.sent += seconds;
    }
  }

  private take(event: LiveEvent): void {
    if (event.type === committed) this.open.add(event.item_id);
    if (isEnd(event)) this.open.delete(event.item_id);
    if (event.type === "scribed.tail") {
      this.heard = event.heard_s;
      this.tries = 0;
    }
    if (event.type === "input_audio_buffer.cleared") this.isCleared = true;
    // There was no turn to end.
    const isVain = event.type === "error" && event.error.code === "input_audio_buffer_commit_empty";
    if (!isVain) this.events.onEvent(event);
    if (this.isCleared && this.open.size === 0) this.end();
  }

  private down(): void {
    this.socket = null;
    this.isUp = false;
    this.open.clear();
    if (this.isOver) return;
    if (this.isFinishing) return this.end();
    if (this.part === 0) return this.events.onDown(null);
    const pause_s = Math.min(most_pause_s, 2 ** this.tries);
    this.tries += 1;
    this.events.onDown(pause_s);
    this.callOff = this.world.later(pause_s, () => this.connect());
  }

  private end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.callOff();
    this.socket?.close();
    this.events.onEnd();
  }

  private say(event: object): void {
    this.socket?.send(JSON.stringify(event));
  }
}
