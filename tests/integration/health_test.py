"""`scribed health`, which containers and supervisors ask: does its exit code tell how the daemon is?"""

import subprocess
import unittest

from daemon import DaemonTest
from scribed_command import wait_for


class HealthTest(DaemonTest):
    def health(self, *options, **variables):
        return subprocess.run([self.scribed, "health", *map(str, options)], capture_output=True,
                              text=True, timeout=30, env={**self.environment, **variables})

    def test_a_daemon_that_can_work_is_healthy(self):
        daemon = self.start()
        for listen in (f"127.0.0.1:{daemon.port}", f"0.0.0.0:{daemon.port}"):
            said = self.health("--listen", listen)
            self.assertEqual((said.returncode, said.stdout), (0, "ok\n"), said.stderr)
        said = self.health(SCRIBED_SERVER_LISTEN=f"127.0.0.1:{daemon.port}")
        self.assertEqual(said.returncode, 0, said.stderr)

    def test_the_server_that_other_commands_ask_is_asked(self):
        daemon = self.start()
        address = f"http://127.0.0.1:{daemon.port}"
        for said in (self.health("--server", address), self.health(SCRIBED_SERVER=address),
                     self.health("--server", address, SCRIBED_SERVER="http://127.0.0.1:1")):
            self.assertEqual((said.returncode, said.stdout), (0, "ok\n"), said.stderr)

    def test_a_proxy_of_the_environment_is_not_asked(self):
        daemon = self.start()
        said = self.health("--listen", f"127.0.0.1:{daemon.port}", http_proxy="http://127.0.0.1:1")
        self.assertEqual(said.returncode, 0, said.stderr)

    def test_one_that_cannot_says_why(self):
        daemon = self.start(model="no-such-model")
        said = self.health("--listen", f"127.0.0.1:{daemon.port}")
        self.assertEqual(said.returncode, 1)
        self.assertIn("the default model is not installed", said.stdout)

    def test_no_daemon_is_no_health(self):
        daemon = self.start()
        daemon.kill()
        wait_for(lambda: daemon.process.poll() is not None, "its end")
        said = self.health("--listen", f"127.0.0.1:{daemon.port}", "--timeout", 2)
        self.assertEqual(said.returncode, 1)
        self.assertIn("Is scribed serve running", said.stderr)

    def test_a_wrong_address_is_wrong_usage(self):
        self.assertEqual(self.health("--listen", "nowhere").returncode, 2)


if __name__ == "__main__":
    unittest.main()
