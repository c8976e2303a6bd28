// Plays a recording and returns what the clock of the element is when pips begin, in seconds. Without sound: none.
async (address) => {
  const context = new AudioContext();
  const listener = `registerProcessor("pips", class extends AudioWorkletProcessor {
    last = -1;
    process([[samples]]) {
      for (const [i, sample] of (samples ?? []).entries()) {
        if (Math.abs(sample) <= 0.1) continue;
        const now = currentTime + i / sampleRate;
        if (now - this.last > 0.5) this.port.postMessage(now);
        this.last = now;
      }
      return true;
    }
  })`;
  await context.audioWorklet.addModule(URL.createObjectURL(new Blob([listener], { type: "text/javascript" })));
  const video = document.createElement("video");
  const pips = new AudioWorkletNode(context, "pips");
  context.createMediaElementSource(video).connect(pips).connect(context.destination);

  const heard = [];
  const clocks = []; // [time of the audio, time of the element]
  pips.port.onmessage = ({ data }) => heard.push(data);
  const watching = setInterval(() => clocks.push([context.currentTime, video.currentTime]), 5);
  const ended = new Promise((resolve) => {
    video.onended = video.onerror = resolve;
    setTimeout(resolve, 40_000);
  });
  await context.resume();
  video.src = address;
  await video.play().catch(() => undefined);
  await ended;
  clearInterval(watching);
  await context.close();
  video.remove();

  // Around a pip both clocks run alike; the median of what lies between them has no jitter.
  return heard.map((time) => {
    const near = clocks.filter(([audio]) => Math.abs(audio - time) < 0.3).map(([audio, element]) => element - audio);
    near.sort((a, b) => a - b);
    return time + near[Math.floor(near.length / 2)];
  });
};
