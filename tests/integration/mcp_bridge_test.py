"""`scribed mcp` that joins a daemon: hosts share its jobs, and files are read as the host's user."""

import subprocess
import unittest

from daemon import DaemonTest
from mcp_host import MODERN, Host, about, text_of
from scribed_command import TIME_LIMIT, processes, wait_for, write_silence

KEY = "ada-has-this-key-of-hers"


class BridgeTest(DaemonTest):
    def setUp(self):
        super().setUp()
        for variable in ("SCRIBED_SERVER", "XDG_RUNTIME_DIR"):
            self.environment.pop(variable, None)

    def file(self, seconds, name="talk.wav"):
        path = self.folder / name
        write_silence(path, seconds)
        return path

    def host(self, daemon, *options):
        return Host(self, "--connect", f"http://127.0.0.1:{daemon.port}", *options, joins=True)

    def ready_host(self, daemon, *options):
        host = self.host(daemon, *options)
        host.initialize()
        return host

    def jobs(self, daemon):
        return daemon.get("/v1/jobs").json["data"]

    def has_worker(self, host):
        return any(parent == host.process.pid for parent, _ in processes().values())


class ToolsTest(BridgeTest):
    def test_a_legacy_host_gets_the_text_of_a_file_of_its_user(self):
        daemon = self.start()
        self.file(8)
        host = self.host(daemon)
        self.assertEqual(host.initialize()["serverInfo"]["name"], "scribed")
        result = host.use("transcribe", path="talk.wav")
        self.assertNotIn("isError", result)
        self.assertIn("Segment 0. Segment 1.", text_of(result))
        self.assertIn("talk.wav", str(result))
        self.assertEqual([job["title"] for job in self.jobs(daemon)], ["talk.wav"])
        self.assertFalse(self.has_worker(host))
        self.assertEqual(host.end(), 0)

    def test_a_modern_host_needs_no_greeting(self):
        daemon = self.start()
        path = self.file(8)
        host = self.host(daemon)
        self.assertIn("2026-07-28",
                      host.ask("server/discover", _meta=MODERN)["result"]["supportedVersions"])
        result = host.use("transcribe", MODERN, path=str(path))
        self.assertIn("Segment 0. Segment 1.", text_of(result))
        job = result["structuredContent"]["job"]
        read = host.ask("resources/read", uri=f"transcript://{job}", _meta=MODERN)["result"]
        self.assertIn("Segment 0.", read["contents"][0]["text"])

    def test_tools_take_paths_and_no_uploads(self):
        host = self.ready_host(self.start(), "--allow-path", self.folder)
        tools = {tool["name"]: tool for tool in host.ask("tools/list")["result"]["tools"]}
        properties = tools["transcribe"]["inputSchema"]["properties"]
        self.assertNotIn("upload", properties)
        self.assertIn(str(self.folder), properties["path"]["description"])
        self.assertIn("path", tools["detect_language"]["inputSchema"]["properties"])

    def test_hosts_share_the_daemons_jobs(self):
        daemon = self.start()
        self.file(8)
        one, other = self.ready_host(daemon), self.ready_host(daemon)
        job = one.use("transcribe", path="talk.wav")["structuredContent"]["job"]
        self.assertIn("Segment 0.", text_of(other.use("get_job", job=job)))

    def test_nothing_is_left_of_the_upload(self):
        daemon = self.start()
        self.file(8)
        self.ready_host(daemon).use("transcribe", path="talk.wav")
        wait_for(lambda: not list((self.state / "uploads").iterdir()), "the end of the upload")

    def test_only_files_below_the_allowed_folders_are_read(self):
        daemon = self.start()
        inside = self.folder / "inside"
        inside.mkdir()
        self.file(5, "inside/a.wav")
        outside = self.file(5, "outside.wav")
        host = self.ready_host(daemon, "--allow-path", inside)
        for path in ("a.wav", "~/inside/a.wav", f"file://{inside}/a.wav"):
            self.assertNotIn("isError", host.use("transcribe", path=path), path)
        for path in (outside, "../outside.wav", "/etc/hostname", "none.wav",
                     "file://elsewhere/a.wav"):
            self.assertTrue(host.use("transcribe", path=str(path)).get("isError"), path)
        self.assertEqual(len(self.jobs(daemon)), 3)

    def test_progress_arrives(self):
        self.behave("slow")
        self.file(20)
        host = self.ready_host(self.start())
        _, before = host.answer_to(host.call("transcribe", {"progressToken": "p"}, path="talk.wav"))
        values = [one["progress"] for one in about(before, "p")]
        self.assertGreater(len(values), 2)
        self.assertEqual(values, sorted(values))

    def test_a_cancelled_call_ends_its_job(self):
        self.behave("slow")
        self.file(600)
        for meta in ({"progressToken": "p"}, {**MODERN, "progressToken": "p"}):
            daemon = self.start()
            host = self.ready_host(daemon)
            number = host.call("transcribe", meta, path="talk.wav")
            wait_for(lambda: [job for job in self.jobs(daemon) if job["segments"] > 0], "its begin")
            host.cancel(number)
            wait_for(lambda: {job["status"] for job in self.jobs(daemon)} <= {"cancelled"},
                     "the end of the job")
            host.end()
            daemon.terminate()


class JoinTest(BridgeTest):
    def test_a_daemon_that_is_started_again_goes_on_with_the_next_line(self):
        daemon = self.start()
        host = self.ready_host(daemon)
        port = daemon.port
        daemon.terminate()
        answer = host.ask("tools/call", name="list_jobs", arguments={})
        self.assertIn("No scribed answers", answer["error"]["message"])
        self.start("--set", f"server.listen=127.0.0.1:{port}")
        self.assertIn("result", host.ask("tools/call", name="list_jobs", arguments={}))

    def test_without_a_daemon_that_was_named_it_ends(self):
        host = Host(self, "--connect", "http://127.0.0.1:1", joins=True)
        self.assertEqual(host.process.wait(TIME_LIMIT), 75)

    def test_the_key_of_the_environment_is_sent(self):
        keys = self.folder / "keys"
        keys.write_text(f"ada {KEY}\n")
        keys.chmod(0o600)
        daemon = self.start("--key-file", keys)
        self.assertEqual(self.host(daemon).process.wait(TIME_LIMIT), 2)
        self.environment["SCRIBED_API_KEY"] = KEY
        self.file(8)
        self.assertIn("Segment 0.", text_of(self.ready_host(daemon).use("transcribe", path="talk.wav")))

    def with_socket(self):
        runtime = self.folder / "runtime"
        (runtime / "scribed").mkdir(parents=True)
        self.environment["XDG_RUNTIME_DIR"] = str(runtime)
        return self.start("--listen", f"unix:{runtime}/scribed/scribed.sock")

    def test_a_daemon_on_a_socket_of_this_machine_is_joined(self):
        daemon = self.with_socket()
        self.file(8)
        host = Host(self, joins=True)
        host.initialize()
        self.assertIn("Segment 0.", text_of(host.use("transcribe", path="talk.wav")))
        self.assertEqual(len(self.jobs(daemon)), 1)

    def test_it_works_alone_where_that_is_asked(self):
        daemon = self.with_socket()
        self.file(8)
        for host in (Host(self), Host(self, "--alone")):
            host.initialize()
            self.assertIn("Segment 0.", text_of(host.use("transcribe", path="talk.wav")))
            host.end()
        self.assertEqual(self.jobs(daemon), [])

    def test_a_wish_of_its_own_and_a_daemon_go_not_together(self):
        ended = subprocess.run([self.scribed, "mcp", "--connect", "http://127.0.0.1:1", "--model", "x"],
                               capture_output=True, text=True, timeout=TIME_LIMIT,
                               env=self.environment, stdin=subprocess.DEVNULL)
        self.assertEqual(ended.returncode, 2, ended.stderr)


if __name__ == "__main__":
    unittest.main()
