"""How sound reaches `scribed mcp` and text leaves it: files, Base64, resources, prompts."""

import base64
import json
import pathlib
import shutil
import tempfile
import unittest

from mcp_host import MODERN, McpTest, text_of
from scribed_command import wait_for


class OutputFileTest(McpTest):
    def jobs(self, host):
        return host.use("list_jobs")["structuredContent"]["jobs"]

    def test_the_file_is_written_and_the_answer_has_its_beginning(self):
        self.sound(600)
        host = self.ready_host()
        result = host.use("transcribe", path="talk.wav", format="srt", output_file="talk.srt")
        self.assertEqual(result["structuredContent"]["output_file"], "talk.srt")
        self.assertIn("Written to output_file", text_of(result))
        self.assertLess(len(text_of(result)), 1500)
        text = (self.folder / "talk.srt").read_text()
        self.assertTrue(text.startswith("1\n00:00:00,000 --> 00:00:04,920\nSegment 0.\n"), text)
        self.assertEqual(text.count("-->"), 120)
        self.assertEqual(list(self.folder.glob(".scribed*")), [])

    def test_a_file_that_is_there_stays(self):
        self.sound(8)
        (self.folder / "mine.txt").write_text("mine")
        host = self.ready_host()
        refused = host.use("transcribe", path="talk.wav", output_file="mine.txt")
        self.assert_refused(refused, "exists already")
        self.assertEqual((self.folder / "mine.txt").read_text(), "mine")
        self.assertEqual(self.jobs(host), [])  # the refusal comes at once, and no job is made

    def test_only_what_can_be_a_transcript_is_written(self):
        self.sound(8)
        (self.folder / ".config").mkdir()
        host = self.ready_host()
        for name in ("talk.sh", "talk", ".bashrc", ".talk.txt", ".config/talk.txt"):
            with self.subTest(name):
                refused = host.use("transcribe", path="talk.wav", output_file=name)
                self.assert_refused(refused, "no place for a transcript")
                self.assertFalse((self.folder / name).exists())
        self.assertEqual(self.jobs(host), [])

    def test_nothing_is_written_outside(self):
        outside = pathlib.Path(tempfile.mkdtemp(prefix="scribed-test-outside-"))
        self.addCleanup(shutil.rmtree, outside)
        self.sound(8)
        (self.folder / "way").symlink_to(outside)
        host = self.ready_host("--allow-path", self.folder)
        names = (outside / "a.txt", f"../{outside.name}/a.txt", "way/a.txt", "libexec",
                 "none/a.txt")
        for name in map(str, names):
            with self.subTest(name):
                refused = host.use("transcribe", path="talk.wav", output_file=name)
                self.assertTrue(refused["isError"])
        self.assertEqual(list(outside.iterdir()), [])
        self.assertEqual(self.jobs(host), [])

    def test_a_long_job_tells_how_to_get_its_file(self):
        self.behave("slow")
        self.sound(20)
        host = self.ready_host()
        wanted = {"format": "vtt", "output_file": "talk.vtt"}
        result = host.use("transcribe", path="talk.wav", wait_s=0, **wanted)
        job = result["structuredContent"]["job"]
        for answer in (result, host.use("get_job", job=job, **wanted)):
            self.assertIn(f'job="{job}", format="vtt", output_file="talk.vtt"', text_of(answer))
        done = wait_for(lambda: (found := host.use("get_job", job=job, wait_s=10, **wanted))
                        ["structuredContent"]["state"] == "done" and found, "its end")
        self.assertIn("Written to output_file", text_of(done))
        self.assertTrue((self.folder / "talk.vtt").read_text().startswith("WEBVTT\n"))

    def test_a_file_that_cannot_be_written_in_the_end_costs_no_transcript(self):
        self.behave("slow")
        self.sound(20)
        host = self.ready_host()
        number = host.call("transcribe", path="talk.wav", output_file="talk.txt")
        wait_for(lambda: self.decoders(host), "its begin")
        (self.folder / "talk.txt").write_text("mine")
        result = host.answer_to(number)[0]["result"]
        self.assert_refused(result, "get_job with job=")
        job = self.jobs(host)[0]["job"]
        self.assert_text(host.use("get_job", job=job), 4)
        self.assertEqual((self.folder / "talk.txt").read_text(), "mine")


class SoundInTheCallTest(McpTest):
    def encoded(self, seconds):
        return base64.b64encode(self.sound(seconds).read_bytes()).decode()

    def test_sound_may_come_as_base64(self):
        host = self.ready_host()
        result = host.use("transcribe", audio_base64=self.encoded(8), file_name="note.wav")
        self.assert_text(result, 2)
        self.assertIn("note.wav", text_of(result))
        wait_for(lambda: not self.inputs(), "that nothing of it is kept")

    def test_sound_in_the_call_is_short_and_whole(self):
        host = self.ready_host()
        self.assert_refused(host.use("transcribe", audio_base64=self.encoded(40)), "more than")
        for text in ("AAA", "A B=", "%%%%"):
            refused = host.use("transcribe", audio_base64=text)
            self.assert_refused(refused, "not Base64")
        self.assertEqual(self.inputs(), [])

    def test_a_cancelled_call_leaves_no_sound(self):
        host = self.ready_host()
        # This job never ends by itself.
        number = host.call("transcribe", audio_base64=self.encoded(30), hotwords="fake:hang")
        wait_for(lambda: self.decoders(host), "its begin")
        self.assertEqual(len(self.inputs()), 1)
        host.cancel(number)
        wait_for(lambda: not self.inputs(), "that nothing of it is kept")

    def test_uploads_are_for_servers(self):
        refused = self.ready_host().use("transcribe", upload="upload://none")
        self.assert_refused(refused, "no argument upload")


class ResourceTest(McpTest):
    def test_a_transcript_is_a_resource_in_every_format(self):
        self.sound(8)
        host = self.ready_host()
        self.assertEqual(host.ask("resources/list")["result"]["resources"], [])
        answer, before = host.answer_to(host.call("transcribe", path="talk.wav"))
        self.assertIn("notifications/resources/list_changed", [m["method"] for m in before])
        uri = "transcript://" + answer["result"]["structuredContent"]["job"]
        listed = host.ask("resources/list")["result"]["resources"]
        self.assertEqual(listed, [{"uri": uri, "name": "talk.wav", "mimeType": "text/plain"}])
        for ending, beginning, kind in (
                ("", "Segment 0.\nSegment 1.", "text/plain"),
                (".srt", "1\n00:00:00,000", "application/x-subrip"),
                (".vtt", "WEBVTT", "text/vtt"),
                (".tsv", "start\tend\ttext", "text/tab-separated-values")):
            content = host.ask("resources/read", uri=uri + ending)["result"]["contents"][0]
            self.assertTrue(content["text"].startswith(beginning), content)
            self.assertEqual((content["uri"], content["mimeType"]), (uri + ending, kind))
        whole = host.ask("resources/read", uri=uri + ".json")["result"]["contents"][0]["text"]
        self.assertEqual(len(json.loads(whole)["segments"]), 2)
        templates = host.ask("resources/templates/list")["result"]["resourceTemplates"]
        self.assertEqual([one["uriTemplate"] for one in templates],
                         ["transcript://{job}", "transcript://{job}.{format}"])

    def test_what_is_not_there_is_told_as_each_era_does(self):
        self.behave("slow")
        path = str(self.sound(60))
        host = self.ready_host()
        running = host.use("transcribe", path=path, wait_s=0)["structuredContent"]["job"]
        for uri in ("transcript://none", f"transcript://{running}", "file:///etc/passwd", ""):
            with self.subTest(uri):
                old = host.ask("resources/read", uri=uri)["error"]
                new = host.ask("resources/read", uri=uri, _meta=MODERN)["error"]
                self.assertEqual((old["code"], new["code"]), (-32002, -32602))
                self.assertEqual(new["data"]["uri"], uri)
        self.assertEqual(host.ask("resources/list", cursor="none")["error"]["code"], -32602)

    def test_nobody_is_told_of_a_transcript_that_failed(self):
        self.sound(8)
        host = self.ready_host()
        number = host.call("transcribe", path="talk.wav", hotwords="fake:fail")
        answer, before = host.answer_to(number)
        self.assertTrue(answer["result"]["isError"])
        self.assertEqual(before, [])


class PromptTest(McpTest):
    def complete(self, host, prompt, name, value):
        return host.ask("completion/complete", ref={"type": "ref/prompt", "name": prompt},
                        argument={"name": name, "value": value})["result"]["completion"]

    def test_prompts_are_listed_filled_in_and_checked(self):
        host = self.ready_host()
        names = [prompt["name"] for prompt in host.ask("prompts/list")["result"]["prompts"]]
        self.assertEqual(names, ["summarize_transcript", "meeting_minutes", "make_subtitles"])
        for name, arguments in (("summarize_transcript", {"job": "j1"}),
                                ("meeting_minutes", {"job": "j1"}),
                                ("make_subtitles", {"path": "j1.mkv", "language": "de"})):
            messages = host.ask("prompts/get", name=name, arguments=arguments)["result"]["messages"]
            self.assertIn("j1", messages[0]["content"]["text"])
            self.assertEqual(host.ask("prompts/get", name=name)["error"]["code"], -32602)
        self.assertEqual(host.ask("prompts/get", name="sing")["error"]["code"], -32602)

    def test_arguments_are_completed(self):
        self.sound(8)
        host = self.ready_host()
        job = host.use("transcribe", path="talk.wav")["structuredContent"]["job"]
        self.assertEqual(self.complete(host, "summarize_transcript", "job", "")["values"], [job])
        self.assertEqual(
            self.complete(host, "summarize_transcript", "job", job[:-1] + "-")["values"], [])
        self.assertIn("de", self.complete(host, "make_subtitles", "language", "d")["values"])
        self.assertNotIn("en", self.complete(host, "make_subtitles", "language", "d")["values"])
        for reference in ({"type": "ref/prompt", "name": "sing"},
                          {"type": "ref/resource", "uri": "file:///{path}"}):
            refused = host.ask("completion/complete", ref=reference,
                               argument={"name": "job", "value": ""})
            self.assertEqual(refused["error"]["code"], -32602)


if __name__ == "__main__":
    unittest.main()
