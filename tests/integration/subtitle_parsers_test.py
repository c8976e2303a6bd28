"""Other programs' parsers read subtitles as scribed wrote them: webvtt-py, pysubs2 (scripts/setup
--tests), FFmpeg, and Chromium's <track>."""

import html
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

import page_harness
from daemon import DaemonTest
from scribed_command import ROOT

PACKAGES = pathlib.Path(os.environ.get("SCRIBED_SUBTITLE_PARSERS", ROOT / ".deps/subtitle_parsers"))
sys.path.append(str(PACKAGES))
try:
    import pysubs2
    import webvtt
except ImportError:
    pysubs2 = webvtt = None

# What is said in a call, on both channels in turn. srt has no escapes, so only vtt has markup.
TEXTS = ["Go to File --> Save as.", "If 2 ---> 3, wait.", "1", "And so --> it --> ends."]
MARKUP = ["If a<b & c>d then stop.", "<i>no tag</i> &amp; <00:00:01.000>", "</v><v Eve>", "x --> y"]

TRACK_CUES = """async (vtt) => {
  const track = document.createElement("track");
  const video = document.body.appendChild(document.createElement("video"));
  const loaded = new Promise((done, failed) => { track.onload = done; track.onerror = failed; });
  track.src = URL.createObjectURL(new Blob([vtt], {type: "text/vtt"}));
  video.append(track);
  track.track.mode = "hidden";
  await loaded;
  return [...track.track.cues].map((cue) =>
      [cue.startTime, cue.endTime, cue.getCueAsHTML().textContent]);
}"""


def seconds(clock):
    parts = clock.replace(",", ".").split(":")
    return round(sum(float(part) * 60 ** place for place, part in enumerate(reversed(parts))), 3)


def cues_in(file):
    """(start, end, text) of each cue, as the file has them: no parser but this one knows the writer."""
    found = []
    for block in file.split("\n\n"):
        lines = block.split("\n")
        at = next((i for i, line in enumerate(lines) if " --> " in line), None)
        if at is not None:
            start, end = lines[at].split(" --> ")
            found.append((seconds(start), seconds(end), "\n".join(lines[at + 1:])))
    return found


def lines_in(ass):
    """(start, end, speaker, text) of each line of ass, as the file has them."""
    found = []
    for line in ass.splitlines():
        if line.startswith("Dialogue: "):
            _, start, end, _, name, _, _, _, _, text = line.removeprefix("Dialogue: ").split(",", 9)
            text = re.sub(r"{\\k\d+}", "", text).replace("\\N", "\n")
            found.append((seconds(start), seconds(end), name, text))
    return found


def plain(text):
    """The text of a cue of vtt without its tags."""
    return html.unescape(re.sub(r"<[^>]*>", "", text))


class ParsersTest(DaemonTest):
    def setUp(self):
        if pysubs2 is None:
            raise unittest.SkipTest("no parsers of subtitles: run scripts/setup --tests")
        super().setUp()
        self.daemon = self.start()

    def files(self, texts, **fields):
        """srt, vtt and lrc of a call in which these texts are said."""
        daemon = self.daemon
        job = daemon.submit(self.sound(10, channels=2), channels="split", word_timestamps="true",
                            channel_labels=json.dumps(["Ag-->ent", "Caller"]), **fields)
        self.assertEqual(daemon.wait_for_job(job)["status"], "done")
        segments = daemon.get(f"/v1/jobs/{job}/segments").json["data"]
        self.assertEqual(len(segments), len(texts))
        ops = [{"op": "text", "segment": segment["id"], "text": text}
               for segment, text in zip(segments, texts)]
        changed = daemon.request("PATCH", f"/v1/jobs/{job}/transcript", json.dumps({"ops": ops}),
                                 {"If-Match": "*", "Content-Type": "application/json"})
        self.assertEqual(changed.status, 200, changed.text)
        self.job = job
        return [daemon.get(f"/v1/jobs/{job}/transcript?format={form}").text
                for form in ("srt", "vtt", "lrc")]

    def check_srt(self, srt):
        cues = cues_in(srt)
        for start, end, text in cues:
            self.assertLess(start, end)
            self.assertNotIn("-->", text)
        read = [(e.start / 1000, e.end / 1000, e.plaintext)
                for e in pysubs2.SSAFile.from_string(srt, format_="srt")]
        self.assertEqual(read, cues)
        read = [(seconds(c.start), seconds(c.end), c.text)
                for c in webvtt.WebVTT.from_buffer(io.StringIO(srt), format="srt")]
        self.assertEqual(read, cues)
        again = subprocess.run(["ffmpeg", "-v", "error", "-f", "srt", "-i", "-", "-f", "srt", "-"],
                               input=srt, capture_output=True, text=True, check=True)
        self.assertEqual((cues_in(again.stdout), again.stderr), (cues, ""))

    def check_vtt(self, vtt):
        cues = [(start, end, plain(text)) for start, end, text in cues_in(vtt)]
        starts = [start for start, _, _ in cues]
        self.assertEqual(starts, sorted(starts))
        # Both parsers leave escapes as they are.
        read = [(e.start / 1000, e.end / 1000, html.unescape(e.plaintext))
                for e in pysubs2.SSAFile.from_string(vtt, format_="vtt")]
        self.assertEqual(read, cues)
        read = [(seconds(c.start), seconds(c.end), html.unescape(c.text))
                for c in webvtt.WebVTT.from_buffer(io.StringIO(vtt), format="vtt")]
        self.assertEqual(read, cues)

    def ass(self, query=""):
        return self.daemon.get(f"/v1/jobs/{self.job}/transcript?format=ass{query}").text

    def check_ass(self, ass):
        cues = lines_in(ass)
        for start, end, _, text in cues:
            self.assertLess(start, end)
            self.assertNotRegex(text, r"[{}]")
        read = [(e.start / 1000, e.end / 1000, e.name, e.plaintext)
                for e in pysubs2.SSAFile.from_string(ass, format_="ass")]
        self.assertEqual(read, cues)
        again = subprocess.run(["ffmpeg", "-v", "error", "-f", "ass", "-i", "-", "-c:s", "text", "-f",
                                "srt", "-"], input=ass, capture_output=True, text=True, check=True)
        self.assertEqual(cues_in(again.stdout),
                         [(start, end, text) for start, end, _, text in cues])
        self.assertEqual(again.stderr, "")
        return cues

    def test_ass_is_read_as_it_was_written(self):
        texts = ["Go to {File} --> Save, as.", "C:\\new \\N \\h {\\b1}bold", "1", "Yes."]
        for style in ("default", "netflix", "whisper"):
            with self.subTest(style):
                self.files(texts)
                cues = self.check_ass(self.ass(f"&subtitle_style={style}"))
                names = {name for _, _, whole, _ in cues for name in whole.split("; ")}
                self.assertEqual(names, {"Ag-->ent", "Caller"})
                said = " ".join(text for *_, text in cues).replace("\u2060", "").replace("\n", " ")
                for text in ("Go to (File) --> Save, as.", "C:\\new \\N \\h (\\b1)bold", "Yes."):
                    self.assertIn(text, said)

    def test_karaoke_of_ass_is_as_long_as_its_line(self):
        self.files(TEXTS)
        ass = self.ass("&highlight_words=true")
        self.check_ass(ass)
        karaoke = re.findall(r"^Dialogue: 0,([^,]*),([^,]*),.*?,,(.*{.k.*)$", ass, re.MULTILINE)
        self.assertTrue(karaoke)
        for start, end, text in karaoke:
            told = sum(int(length) for length in re.findall(r"{.k(\d+)}", text))
            self.assertEqual(told, round(100 * (seconds(end) - seconds(start))))

    def test_srt_and_vtt_are_read_as_they_were_written(self):
        for fields in ({}, {"subtitle_style": "netflix"}, {"subtitle_style": "whisper"}):
            with self.subTest(fields):
                srt, vtt, _ = self.files(TEXTS, **fields)
                self.check_srt(srt)
                self.check_vtt(vtt)

    def test_two_who_speak_at_once_share_a_cue(self):
        texts = ["Are you --> there?", "Yes <i>, I am."]
        for fields in ({}, {"diarize": "true"}):
            srt, vtt, _ = self.files(texts * 2, **fields)
            cues = cues_in(srt)
            self.assertEqual(len(cues), 2)
            self.assertRegex(cues[0][2], r"^- .*: Are you -> there\?\n- .*: Yes <i>, I am\.$")
            self.check_vtt(vtt)
            self.assertRegex(plain(cues_in(vtt)[0][2]), r"^- .*Are you --> there\?\n- .*Yes <i>, I am\.$")
            self.assertEqual(vtt.count("</v>"), 4 if fields else 0)
            self.check_ass(self.ass())

    def test_vtt_keeps_markup_as_text(self):
        _, vtt, _ = self.files(MARKUP)
        self.check_vtt(vtt)
        said = " ".join(plain(text) for _, _, text in cues_in(vtt))
        for text in MARKUP:
            self.assertIn(text, said)

    def test_chromium_reads_vtt_as_it_was_written(self):
        page_harness.need_browser()
        _, vtt, _ = self.files(MARKUP, diarize="true")
        with page_harness.sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=page_harness.BROWSER,
                                                 args=page_harness.ARGUMENTS)
            page = browser.new_page()
            read = [tuple(cue) for cue in page.evaluate(TRACK_CUES, vtt)]
            browser.close()
        self.assertEqual(read, [(start, end, plain(text)) for start, end, text in cues_in(vtt)])

    def test_ffmpeg_reads_the_times_of_lrc(self):
        _, _, lrc = self.files(TEXTS)
        written = [seconds(clock) for clock in re.findall(r"^\[([\d:.]+)\]", lrc, re.MULTILINE)]
        self.assertEqual(len(written), len(TEXTS))
        read = subprocess.run(["ffprobe", "-v", "error", "-f", "lrc", "-show_entries",
                               "packet=pts_time", "-of", "csv=p=0", "-"],
                              input=lrc, capture_output=True, text=True, check=True)
        self.assertEqual([float(line.strip(",")) for line in read.stdout.split()], written)


if __name__ == "__main__":
    unittest.main()
