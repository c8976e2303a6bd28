"""Audio without a header that is recognized by the name of its file: with a fake worker."""

import shutil
import subprocess
import unittest

from client_commands import ClientTest
from mcp_host import McpTest
from scribed_command import FakeWorkerTest, write_silence

SECONDS = 8


def make_g722(folder, name="call.g722"):
    if shutil.which("ffmpeg") is None:
        raise unittest.SkipTest("no ffmpeg program to make recordings with")
    silence = folder / "silence.wav"
    write_silence(silence, SECONDS)
    path = folder / name
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", silence, "-f", "g722", path], check=True)
    return path


class CommandTest(FakeWorkerTest):
    def test_a_file_needs_no_format(self):
        path = make_g722(self.folder, "Call.G722")
        self.assertEqual(self.run_scribed(path, "--quiet").stdout, "Segment 0.\nSegment 1.\n")
        other = path.rename(self.folder / "call.bin")
        self.assertEqual(self.run_scribed(other).returncode, 4)
        self.assertEqual(self.run_scribed(other, "--quiet", "--input-format", "g722").stdout,
                         "Segment 0.\nSegment 1.\n")


class ServerTest(ClientTest):
    def test_the_name_of_a_part_tells_it(self):
        daemon = self.start()
        sound = make_g722(self.folder).read_bytes()
        model = [("model", "whisper-1")]

        def send(path, name, fields=model, **more):
            return daemon.post_form(path, fields, sound, file_name=name, **more)

        job = daemon.wait_for_job(send("/v1/jobs", "call.722").json["id"])
        self.assertEqual((job["status"], job["duration"]), ("done", SECONDS))
        job = daemon.wait_for_job(send("/v1/jobs", "call.bin").json["id"])
        self.assertEqual((job["status"], job["error"]["code"]), ("failed", "unsupported_format"))
        verbose = send("/v1/audio/transcriptions", "call.g722", [*model, ("response_format", "verbose_json")])
        self.assertEqual(verbose.json["duration"], SECONDS)
        self.assertEqual(send("/v1/audio/transcriptions", "call.txt").json["error"]["code"],
                         "unsupported_format")

    def test_commands_send_the_name(self):
        daemon = self.start()
        path = make_g722(self.folder)
        self.assertEqual(self.ask("transcribe", "--server", f"127.0.0.1:{daemon.port}", path),
                         "Segment 0.\nSegment 1.\n")
        job = self.ask("submit", path, daemon=daemon).strip()
        self.assertEqual(daemon.wait_for_job(job)["status"], "done")

    def test_an_upload_has_a_name(self):
        daemon = self.start()
        sound = make_g722(self.folder).read_bytes()
        answer = daemon.post_form("/v1/uploads", [], sound, file_name="call.g722")
        job = daemon.post_form("/v1/jobs", [("upload", answer.json["id"])]).json["id"]
        self.assertEqual(daemon.wait_for_job(job)["status"], "done")

    def test_the_channels_of_a_file_are_split_by_its_name(self):
        daemon = self.start()
        answer = daemon.post_form("/v1/audio/transcriptions", [("model", "whisper-1"), ("channels", "split")],
                                  make_g722(self.folder).read_bytes(), file_name="call.g722")
        self.assertEqual(answer.status, 200, answer.text)


class HostTest(McpTest):
    def test_the_path_tells_it(self):
        make_g722(self.folder)
        result = self.ready_host().use("transcribe", path="call.g722")
        self.assertEqual(result["structuredContent"]["text"], "Segment 0. Segment 1.")


if __name__ == "__main__":
    unittest.main()
