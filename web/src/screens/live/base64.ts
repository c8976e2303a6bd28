// Returns the bytes of samples in base64, as the Realtime API takes sound. All machines that run
// browsers have the low byte first.
export function base64Of(samples: Int16Array): string {
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
