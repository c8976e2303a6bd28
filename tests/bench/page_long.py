"""What a text of ten hours costs the page's transcript screen: 10,000 segments, 100,000 words.

    tests/bench/page_long.py [--seconds 60] [--hours 10]

It makes the recording (silence, sent as FLAC) with the fake worker, writes words into it by the API, opens it in Chromium
and prints JSON: the time until text is painted and until all is there, nodes and heap before and after so many
seconds of playing at 3 times the speed, the time of 200 clicks and 200 keys until the next frame, and what lighting a
word costs a frame.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "integration"))
from page_harness import PageTest  # noqa: E402
from reader_job import edit, segments, written  # noqa: E402
from scribed_command import wait_for  # noqa: E402

# Event Timing knows how long each input took until the frame after it; only those from 16 ms on are told.
WATCH = """
window.inputs = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (entry.interactionId) window.inputs.push([entry.name, entry.duration]);
}).observe({ type: 'event', durationThreshold: 16, buffered: true });
window.texts = [];
new MutationObserver(() => {
  const rows = document.querySelectorAll('.segment').length;
  if (rows > (window.texts.at(-1)?.rows ?? 0)) {
    const told = { rows };
    window.texts.push(told);
    requestAnimationFrame(() => setTimeout(() => { told.at = performance.now(); }));
  }
}).observe(document, { childList: true, subtree: true });
"""

FRAMES = """(seconds) => new Promise((done) => {
  const lengths = [];
  let last = performance.now();
  const end = last + seconds * 1000;
  const step = (now) => {
    lengths.push(now - last);
    last = now;
    if (now < end) requestAnimationFrame(step);
    else done(lengths.slice(1));
  };
  requestAnimationFrame(step);
})"""


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0


class Long(PageTest):
    def runTest(self):  # noqa: N802 - unittest's name
        pass

    def make(self, hours):
        """Every segment of the fake worker has five seconds; some are split until there are 1,000 an hour."""
        flac = self.folder / "long.flac"
        subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-f", "lavfi", "-i",
                        "anullsrc=r=16000:cl=mono", "-t", str(hours * 3600), str(flac)], check=True)
        daemon = self.start("--set", "server.max_audio_seconds=40000")
        job = daemon.submit(flac.read_bytes(), word_timestamps="true")
        assert daemon.wait_for_job(job)["status"] == "done"
        version = written(daemon, job, words=14)
        found, version = segments(daemon, job)
        splits = [{"op": "split", "segment": one["id"], "word": 7}
                  for one in found[:max(0, hours * 1000 - len(found))]]
        for first in range(0, len(splits), 1000):
            version = edit(daemon, job, version, splits[first:first + 1000])["version"]
        return daemon, job

    def metrics(self, session):
        session.send("HeapProfiler.collectGarbage")
        got = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
        return {"nodes": int(got["Nodes"]), "heap_mb": round(got["JSHeapUsedSize"] / 1e6, 1)}

    def measure(self, hours, seconds):
        daemon, job = self.make(hours)
        context = self.new_context(daemon)
        page = context.new_page()
        page.add_init_script(WATCH)
        session = context.new_cdp_session(page)
        session.send("Performance.enable")
        page.goto(f"#/r/{job}")
        found, _ = segments(daemon, job)
        wait_for(lambda: page.locator(".segment").count() == len(found), "the whole text")
        page.wait_for_timeout(1000)
        texts = page.evaluate("window.texts")
        navigation = page.evaluate("performance.getEntriesByType('navigation')[0].responseStart")
        figures = {"segments": len(found), "words": sum(len(one["words"]) for one in found),
                   "first_text_ms": round(texts[0]["at"] - navigation),
                   "whole_text_ms": round(texts[-1]["at"] - navigation),
                   "after_opening": self.metrics(session)}
        figures["inputs"] = self.inputs(page)
        figures["highlight_ms"] = self.highlight(page)
        page.get_by_label("Speed").select_option("3")
        page.evaluate("document.querySelector('audio').currentTime = 20000")
        page.get_by_role("button", name="Play", exact=True).click()
        frames = page.evaluate(FRAMES, seconds)
        page.get_by_role("button", name="Pause", exact=True).click()
        figures["frames_ms"] = {"median": round(statistics.median(frames), 1),
                                "p99": round(percentile(frames, 0.99), 1)}
        figures["after_playing"] = self.metrics(session)
        print(json.dumps(figures, indent=2))

    def inputs(self, page):
        """200 clicks on words, far from each other now and then, and 200 keys."""
        for number in range(200):
            if number % 20 == 0:
                page.evaluate("(y) => scrollTo(0, y * document.body.scrollHeight)", number / 200)
                page.wait_for_timeout(200)
            page.mouse.click(420 + number % 7 * 30, 260 + number % 5 * 40)
        for number in range(200):
            page.keyboard.press(("ArrowDown", "ArrowUp", "ArrowRight", "ArrowDown")[number % 4])
        page.wait_for_timeout(300)
        told = page.evaluate("window.inputs")
        lengths = [0] * (400 - min(400, len(told))) + [duration for _, duration in told]
        return {"told": len(told), "p98_ms": percentile(lengths, 0.98), "most_ms": max(lengths)}

    def highlight(self, page):
        """What a frame of playing computes: the page's own work for a new time."""
        steps = page.evaluate("""async () => {
          const audio = document.querySelector('audio');
          const steps = [];
          for (let number = 0; number < 100; number += 1) {
            audio.currentTime = 18000 + number * 0.7;
            await new Promise((done) => audio.addEventListener('seeked', done, { once: true }));
            const begun = performance.now();
            audio.dispatchEvent(new Event('timeupdate'));
            steps.push(performance.now() - begun);
          }
          return steps;
        }""")
        return {"median": round(statistics.median(steps), 2), "p98": round(percentile(steps, 0.98), 2)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hours", type=int, default=10)
    parser.add_argument("--seconds", type=int, default=60)
    options = parser.parse_args()
    long = Long()
    Long.setUpClass()
    long.setUp()
    try:
        long.measure(options.hours, options.seconds)
    finally:
        long.doCleanups()
        Long.tearDownClass()


if __name__ == "__main__":
    main()
