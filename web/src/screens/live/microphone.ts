// The microphone: which there are, why there is none, and its sound.
import { fileUrl } from "../../api/files.ts";

// Why there is no sound. `insecure`: browsers give microphones to https and localhost alone.
export type NoMicrophone = "insecure" | "refused" | "none" | "busy" | "unplugged" | "unknown";

export interface Device {
  id: string;
  name: string; // empty until a page may hear it
}

export interface Microphone {
  device: string; // its id
  rate: number; // samples a second
  close: () => void;
}

export interface MicrophoneEvents {
  onLevel: (level: number) => void; // 25 times a second, 0 to 1
  onBlock: (block: Int16Array<ArrayBuffer>) => void;
  onLost: () => void; // it was unplugged, or taken away
}

export function hasMicrophones(): boolean {
  return isSecureContext && navigator.mediaDevices?.getUserMedia !== undefined;
}

// Returns why the browser gave none. Its errors are told apart by their names.
export function reasonOf(error: unknown): NoMicrophone {
  switch ((error as { name?: unknown } | null)?.name) {
    case "NotAllowedError":
    case "SecurityError":
      return "refused";
    case "NotFoundError":
    case "OverconstrainedError":
      return "none";
    case "NotReadableError":
    case "AbortError":
      return "busy";
    default:
      return "unknown";
  }
}

// The browser lists one microphone more than once: as itself, and as the one that it takes by
// default. Only without any other name the default is shown as such.
export function distinct(found: readonly { kind: string; deviceId: string; label: string }[]): Device[] {
  const microphones = found.filter(({ kind, deviceId }) => kind === "audioinput" && deviceId !== "");
  const named = microphones.filter(({ deviceId }) => deviceId !== "default" && deviceId !== "communications");
  return (named.length > 0 ? named : microphones).map(({ deviceId, label }) => ({ id: deviceId, name: label }));
}

export async function listMicrophones(): Promise<Device[]> {
  if (!hasMicrophones()) return [];
  return distinct(await navigator.mediaDevices.enumerateDevices().catch(() => []));
}

export function watchMicrophones(changed: () => void): () => void {
  if (!hasMicrophones()) return () => undefined;
  navigator.mediaDevices.addEventListener("devicechange", changed);
  return () => navigator.mediaDevices.removeEventListener("devicechange", changed);
}

// Opens the wanted microphone, or any where that one is gone; "" is any. Throws what the browser
// throws (reasonOf).
export async function openMicrophone(wanted: string, events: MicrophoneEvents): Promise<Microphone> {
  const stream = await streamOf(wanted);
  try {
    return await listen(stream, events);
  } catch (error) {
    stopAll(stream);
    throw error;
  }
}

// What browsers do to voices for calls costs words here.
const plain = {
  channelCount: 1,
  echoCancellation: false,
  noiseSuppression: false,
  autoGainControl: false,
};

async function streamOf(wanted: string): Promise<MediaStream> {
  const any = () => navigator.mediaDevices.getUserMedia({ audio: plain });
  if (wanted === "") return any();
  try {
    return await navigator.mediaDevices.getUserMedia({ audio: { ...plain, deviceId: { exact: wanted } } });
  } catch (error) {
    if (reasonOf(error) === "none") return any();
    throw error;
  }
}

const stopAll = (stream: MediaStream) => stream.getTracks().forEach((track) => track.stop());

// The context has the rate that the browser gives it: some refuse a microphone of another one.
async function listen(stream: MediaStream, events: MicrophoneEvents): Promise<Microphone> {
  const context = new AudioContext();
  let isOpen = true;
  const close = () => {
    isOpen = false;
    stopAll(stream);
    void context.close().catch(() => undefined);
  };
  try {
    await context.audioWorklet.addModule(fileUrl("capture.js"));
    const capture = new AudioWorkletNode(context, "capture", {
      channelCount: 1,
      channelCountMode: "explicit",
    });
    capture.port.onmessage = ({ data }: MessageEvent<number | Int16Array<ArrayBuffer>>) => {
      if (!isOpen) return;
      if (typeof data === "number") events.onLevel(data);
      else events.onBlock(data);
    };
    // It gives silence; not every browser runs what leads nowhere.
    context.createMediaStreamSource(stream).connect(capture).connect(context.destination);
    await context.resume();
  } catch (error) {
    close();
    throw error;
  }
  const track = stream.getAudioTracks()[0];
  track?.addEventListener("ended", () => {
    if (!isOpen) return;
    close();
    events.onLost();
  });
  return { device: track?.getSettings().deviceId ?? "", rate: context.sampleRate, close };
}
