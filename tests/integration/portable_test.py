"""Archive, wheel and bundle of a small tree: the same bytes twice, and all that an installer reads. Whole
packages are made by scripts/package and tried by packaging/test."""
import base64
import csv
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "packaging"), str(ROOT / "packaging/portable")]
import archive  # noqa: E402
import bundle  # noqa: E402
import elf  # noqa: E402
import licences  # noqa: E402
import parts  # noqa: E402
import spdx  # noqa: E402
import stand_ins  # noqa: E402
import wheel  # noqa: E402

EPOCH = 1_700_000_000


class PortableTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.tree = self.make_tree("tree")

    def make_tree(self, name):
        tree = self.folder / name
        for file, text in {"bin/scribed": "program", "lib/scribed/libx.so.1": "library",
                           "share/doc/scribed/LICENSE": "terms"}.items():
            (tree / file).parent.mkdir(parents=True, exist_ok=True)
            (tree / file).write_text(text)
        (tree / "bin/scribed").chmod(0o755)
        (tree / "lib/scribed/libx.so.1").chmod(0o644)
        (tree / "share/doc/scribed/LICENSE").chmod(0o644)
        return tree

    def packed(self, name, write):
        out = self.folder / name
        out.mkdir()
        return write(out)


class ReproducibleTest(PortableTest):
    def twice(self, write):
        """Packs two trees that were made at different times; returns both packages."""
        other = self.make_tree("other")
        for path in other.rglob("*"):
            os.utime(path, (1, 1))
        return (self.packed("first", lambda out: write(self.tree, out)),
                self.packed("second", lambda out: write(other, out)))

    @unittest.skipUnless(shutil.which("zstd"), "zstd is not installed")
    def test_an_archive_has_the_same_bytes_and_nobodys_name(self):
        first, second = self.twice(lambda tree, out: archive.write(tree, "scribed-1", out, EPOCH))
        self.assertEqual(first.read_bytes(), second.read_bytes())
        packed = subprocess.run(["zstd", "-dc", first], check=True, capture_output=True).stdout
        with tarfile.open(fileobj=io.BytesIO(packed)) as tar:
            members = tar.getmembers()
        self.assertEqual({(member.uid, member.gid, member.mtime) for member in members},
                         {(0, 0, EPOCH)})
        self.assertEqual([member.name for member in members],
                         sorted(member.name for member in members))
        self.assertIn("scribed-1/bin/scribed", [member.name for member in members])

    def test_a_wheel_has_the_same_bytes(self):
        first, second = self.twice(lambda tree, out: wheel.write(tree, "1.0", "any", out, EPOCH, {}))
        self.assertEqual(first.read_bytes(), second.read_bytes())

    def test_a_bundle_has_the_same_bytes(self):
        first, second = self.twice(lambda tree, out: bundle.write(tree, "{}", "x", out, EPOCH))
        self.assertEqual(first.read_bytes(), second.read_bytes())


class WheelTest(PortableTest):
    def setUp(self):
        super().setUp()
        texts = {"METADATA": wheel.metadata("1.0", "Read me.\n", "MIT", "org.example/scribed"),
                 "licenses/LICENSE": "terms"}
        path = self.packed("out", lambda out: wheel.write(self.tree, "1.0", "manylinux_2_35_x86_64",
                                                          out, EPOCH, texts))
        self.assertEqual(path.name, "scribed-1.0-py3-none-manylinux_2_35_x86_64.whl")
        self.zip = zipfile.ZipFile(path)
        self.addCleanup(self.zip.close)

    def test_the_record_has_every_file_with_its_digest(self):
        rows = list(csv.reader(io.StringIO(self.zip.read("scribed-1.0.dist-info/RECORD").decode())))
        self.assertEqual(sorted(row[0] for row in rows), sorted(self.zip.namelist()))
        for name, digest, size in rows:
            if not name.endswith("/RECORD"):
                data = self.zip.read(name)
                encoded = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode()
                self.assertEqual((digest, int(size)), (f"sha256={encoded.rstrip('=')}", len(data)))

    def test_the_program_is_the_only_command_and_finds_its_libraries(self):
        names = [name for name in self.zip.namelist() if ".data/scripts/" in name]
        self.assertEqual(names, ["scribed-1.0.data/scripts/scribed"])
        self.assertEqual(self.zip.getinfo(names[0]).external_attr >> 16, 0o100755)
        self.assertEqual([name for name in self.zip.namelist() if ".data/data/" in name],
                         ["scribed-1.0.data/data/lib/scribed/libx.so.1",
                          "scribed-1.0.data/data/lib/scribed/share/doc/scribed/LICENSE"])
        self.assertNotIn("scribed-1.0.dist-info/entry_points.txt", self.zip.namelist())

    def test_the_description_names_the_server_for_the_registry(self):
        text = self.zip.read("scribed-1.0.dist-info/METADATA").decode()
        self.assertIn("<!-- mcp-name: org.example/scribed -->", text)


class SymbolsTest(PortableTest):
    def compile(self, name, source, *options):
        path = self.tree / "lib/scribed" / name
        subprocess.run(["gcc", "-shared", "-fPIC", "-o", str(path), "-x", "c", "-", "-x", "none",
                        *options], input=source, text=True, check=True)
        return path

    def test_a_library_that_the_tree_lacks_is_named(self):
        self.compile("libgone.so.1", "int gone(void) { return 1; }", "-Wl,-soname,libgone.so.1")
        self.compile("libuser.so", "int gone(void); int f(void) { return gone(); }",
                     str(self.tree / "lib/scribed/libgone.so.1"), "-Wl,-rpath,/somewhere")
        self.assertEqual(list(elf.complaints(self.tree)),
                         ["lib/scribed/libuser.so looks for libraries in /somewhere"])
        (self.tree / "lib/scribed/libgone.so.1").unlink()
        self.assertIn("lib/scribed/libuser.so needs libgone.so.1, which is not in the tree",
                      list(elf.complaints(self.tree)))

    def test_symbols_that_are_too_new_are_named(self):
        script = self.folder / "new"
        script.write_text("GLIBC_2.99 { global: *; };\n")
        new = self.compile("libc.so.6", "int newest(void) { return 1; }", "-nostdlib",
                           "-Wl,-soname,libc.so.6", f"-Wl,--version-script={script}")
        self.compile("libuser.so", "int newest(void); int f(void) { return newest(); }",
                     "-nostdlib", str(new))
        new.unlink()
        self.assertEqual(list(elf.complaints(self.tree)),
                         ["lib/scribed/libuser.so needs GLIBC_2.99, newer than 2.35"])

    def test_a_stand_in_has_the_names_and_version_that_are_asked_for(self):
        stand_ins.compile_library(self.folder / "made", "libcudart.so.13", "libcudart.so.13",
                                  ["cudaGetDeviceCount", "cudaGetErrorString"])
        made = self.folder / "made/libcudart.so.13"
        self.assertEqual(elf.Elf(made).soname, "libcudart.so.13")
        names = subprocess.run(["nm", "-D", made], check=True, capture_output=True, text=True).stdout
        self.assertIn("cudaGetDeviceCount@@libcudart.so.13", names)


class TextsTest(unittest.TestCase):
    def filled(self, name):
        text = (ROOT / "packaging" / name).read_text()
        return re.sub("@[A-Z0-9]+@", "0", text)

    def test_each_text_of_a_licence_is_there_once(self):
        own = ROOT / "LICENSE"
        listed = [parts.Part("a", "1", "Apache-2.0", "pkg:generic/a", ["liba.so"], [own]),
                  parts.Part("b", "2", "Apache-2.0", "pkg:generic/b", [], [own], "A note.")]
        text = licences.document(listed, "1.0")
        self.assertEqual(text.count("TERMS AND CONDITIONS FOR USE"), 1)
        self.assertIn("files: liba.so\n", text)
        self.assertIn("files: compiled in\n  texts: 1\n  A note.\n", text)

    def test_a_bill_of_materials_of_the_same_content_is_the_same(self):
        first, second = (spdx.document("x", "t", [spdx.package("SPDXRef-a", "a", "1", "pkg:generic/a")],
                                       [], EPOCH) for _ in range(2))
        self.assertEqual(first, second)
        self.assertEqual(first["creationInfo"]["created"], "2023-11-14T22:13:20Z")

    def test_the_bundle_lists_the_tools_of_the_server(self):
        listed = [tool["name"] for tool in json.loads(self.filled("mcp/manifest.json"))["tools"]]
        table = (ROOT / "docs/mcp.md").read_text().split("## Tools", 1)[1].split("\n## ", 1)[0]
        told = [name for row in re.findall(r"^\| (`.*?) \|", table, re.M)
                for name in re.findall(r"`(\w+)`", row)]
        self.assertEqual(sorted(listed), sorted(told))

    def test_the_registry_takes_the_description(self):
        entry = json.loads(self.filled("mcp/server.json"))
        self.assertLessEqual(len(entry["description"]), 100)

    def test_recipes_are_shell_and_ruby_that_parse(self):
        subprocess.run(["bash", "-n"], input=self.filled("aur/PKGBUILD"), text=True, check=True)
        if shutil.which("ruby"):
            subprocess.run(["ruby", "-c"], input=self.filled("homebrew/scribed.rb"), text=True,
                           check=True, capture_output=True)


class LibrariesTest(unittest.TestCase):
    def test_what_is_built_of_ffmpeg_is_what_files_can_reach(self):
        """The lists of engine/media, of which nothing is left out and nothing else is built."""
        script = (ROOT / "scripts/build_libraries").read_text()
        functions = script[script.index("allowed_names()"):script.index("# enable KIND")]
        source = (ROOT / "engine/media/allow_lists.cpp").read_text()
        ran = subprocess.run(["bash", "-c", f"allowed={ROOT}/engine/media/allow_lists.cpp\n{functions}"
                              "demuxers | sort -u; echo; decoders"], check=True, capture_output=True,
                             text=True).stdout
        demuxers, decoders = (part.split() for part in ran.split("\n\n"))
        self.assertEqual(len(decoders), len(re.findall("string_view{", source.split("decoders = {")[1]
                                                       .split("};")[0])))
        self.assertIn("mov", demuxers)
        self.assertIn("adpcm_g722", decoders)
        self.assertEqual(set(demuxers) & {"hls", "concat", "dash", "sdp", "rtsp", "imf", "mp4"}, set())


if __name__ == "__main__":
    unittest.main()
