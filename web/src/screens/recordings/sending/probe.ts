// Looks into a file with the browser's own decoders: how long it is, and whether a video has sound
// at all. Only the head of the file is read. What the browser cannot open says nothing; the daemon
// knows more formats.

export interface Probed {
  duration_s: number | null;
  // Null where it cannot be told.
  hasSound: boolean | null;
}

const nothing: Probed = { duration_s: null, hasSound: null };
const patience_ms = 3000;

interface PeekingVideo extends HTMLVideoElement {
  mozHasAudio?: boolean;
  audioTracks?: { length: number };
  captureStream?: () => MediaStream;
}

export function probe(file: File): Promise<Probed> {
  const video = document.createElement("video") as PeekingVideo;
  const address = URL.createObjectURL(file);
  return new Promise<Probed>((resolve) => {
    const finish = (probed: Probed) => {
      clearTimeout(timer);
      video.removeAttribute("src");
      video.load();
      URL.revokeObjectURL(address);
      resolve(probed);
    };
    const timer = setTimeout(() => finish(nothing), patience_ms);
    video.onerror = () => finish(nothing);
    video.onloadedmetadata = () =>
      finish({
        duration_s: Number.isFinite(video.duration) ? video.duration : null,
        hasSound: soundOf(video),
      });
    video.muted = true;
    video.preload = "metadata";
    video.src = address;
  });
}

function soundOf(video: PeekingVideo): boolean | null {
  // What has no picture and could be opened is sound.
  if (video.videoWidth === 0) return true;
  if (video.mozHasAudio !== undefined) return video.mozHasAudio;
  if (video.audioTracks) return video.audioTracks.length > 0;
  try {
    return video.captureStream ? video.captureStream().getAudioTracks().length > 0 : null;
  } catch {
    return null;
  }
}
