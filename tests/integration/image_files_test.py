"""The Dockerfile copies file by file what it builds from: what is installed has to be among it."""
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def installed_files():
    """What `install(FILES …)` names below the root; paths of the build folder come from there."""
    for script in sorted((ROOT / "cmake").glob("*.cmake")):
        for files in re.findall(r"install\(FILES\s+(.*?)\s+DESTINATION", script.read_text(), re.S):
            yield from (name for name in files.split() if not name.startswith("${"))


def copied():
    """What the stage `build` copies from the root."""
    stage = re.search(r"^FROM tools AS build$(.*?)^FROM ", (ROOT / "docker/Dockerfile").read_text(),
                      re.S | re.M).group(1)
    for line in re.findall(r"^COPY (.*)$", stage, re.M):
        yield from line.split()[:-1]


class ImageFilesTest(unittest.TestCase):
    def test_the_build_of_images_has_all_that_is_installed(self):
        files = list(installed_files())
        self.assertIn("README.md", files)
        present = set(copied())
        self.assertEqual([name for name in files if name.split("/")[0] not in present], [])


if __name__ == "__main__":
    unittest.main()
