"""`scribed packs` as a user runs it: libraries of a runtime pack from an index on loopback, and from a
folder, on a machine that is played. The packages carry stand-ins for NVIDIA's libraries."""

import hashlib
import itertools
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import unittest

import fake_hub
import fake_index
import fake_machine as fake
from fake_machine import FakeMachine, doubles_folder
from scribed_command import bin_folder

MODEL, WORKER, DISK, BUSY = 5, 6, 7, 75
SHIELDS = '{"landlock": {"active": true, "detail": "played"}}'
# A worker that needs the libraries which are fetched.
PLAYED_WORKER = f"""#!/bin/sh
case "$LD_LIBRARY_PATH" in
  */packs/cuda/torch/lib:*) ;;
  *) echo "libtorch.so: cannot open shared object file" >&2; exit 127 ;;
esac
[ -s "${{LD_LIBRARY_PATH%%:*}}/libtorch_cuda.so" ] && echo '{SHIELDS}'
"""


class PacksTest(unittest.TestCase):
    page_moves = False  # the index redirects to a page elsewhere, whose links are relative to it

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="scribed-packs-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.machine = FakeMachine(self.folder, doubles_folder())
        self.machine.nvidia()
        self.data = self.folder / "data"
        self.store = self.data / "packs"
        self.wheels = {}
        self.listed = []
        noise = os.urandom(600_000)  # which no method makes smaller
        self.add("torch", "2.11.0", [("torch/lib/libtorch_cuda.so", noise), ("torch/more.py", b"x")],
                 ["torch/lib/libtorch_cuda.so"])
        for name in ("cublas", "cudnn"):
            files = [(f"nvidia/{name}/lib/{file.name}", file.read_bytes())
                     for file in sorted((doubles_folder() / name).iterdir())]
            self.add(f"nvidia-{name}", "1.0", files, [path for path, _ in files])
        self.ship()
        self.hub = fake_hub.FakeHub(self.wheels)
        self.hub.instead = self.page
        self.addCleanup(self.hub.close)

    def add(self, name, version, members, wanted):
        """A package that the pack needs."""
        content = fake_index.wheel(members, name.replace("-", "_"), version)
        file = f"{name.replace('-', '_')}-{version}-py3-none-any.whl"
        self.wheels[file] = content
        sizes = {path: len(data) for path, data in members}
        self.listed.append({"name": name, "version": version, "wheel": file, "size": len(content),
                            "sha256": hashlib.sha256(content).hexdigest(),
                            "files": [{"path": path, "size": sizes[path]} for path in wanted]})

    def ship(self):
        """Puts the worker into the installation, and the list of what it needs."""
        folder = self.machine.libexec / "runtimes/cuda-13"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "scribed-worker").write_text(PLAYED_WORKER)
        (folder / "scribed-worker").chmod(0o755)
        (folder / "build-info.json").write_text(json.dumps(fake.CUDA_13))
        (folder / "packages.json").write_text(
            json.dumps({"name": "cuda", "packages": self.listed}))

    def page(self, handler, body):
        """The index's page of a package: links to all files there are."""
        moved = "/cdn/pages/"
        if self.page_moves and handler.path.startswith("/simple/"):
            handler._plain(301, b"", body, {"Location": handler.path.replace("/simple/", moved)})
            return True
        if not handler.path.startswith(("/simple/", moved)):
            return False
        to_files = "../.." if self.page_moves else "../../cdn"
        links = "".join(f'<a href="{to_files}/{file}#sha256=0">{file}</a>\n' for file in self.wheels)
        handler._plain(200, links.encode(), body, {"Content-Type": "text/html"})
        return True

    def environment(self):
        kept = {k: v for k, v in self.machine.environment.items()
                if k.lower() not in ("http_proxy", "https_proxy", "all_proxy")}
        return {**kept, "PIP_INDEX_URL": self.hub.endpoint + "/simple/"}

    def scribed(self, *arguments, **more):
        return subprocess.run([bin_folder() / "scribed", *map(str, arguments)], text=True,
                              capture_output=True, env=self.environment(), timeout=120, **more)

    def succeed(self, *arguments, **more):
        result = self.scribed(*arguments, **more)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stdout

    def fail_with(self, code, text, *arguments, **more):
        result = self.scribed(*arguments, **more)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        self.assertIn(text, result.stderr)
        return result.stderr

    def pack(self):
        return json.loads(self.succeed("packs", "list", "--json"))["packs"][0]

    def left(self):
        return sorted(str(f.relative_to(self.data)) for f in self.data.rglob("*"))


class Install(PacksTest):
    def test_from_nothing_to_a_card_that_is_used(self):
        pack = self.pack()
        self.assertEqual((pack["name"], pack["installed"]), ("cuda", False))
        self.assertEqual(pack["command"], "scribed packs install cuda")
        self.assertEqual([fit["fits"] for fit in pack["fits"]], [True])
        self.assertIn("`scribed packs install cuda`",
                      " ".join(self.scribed("doctor", "--device", "cuda").stdout.split()))

        text = self.succeed("packs", "install", "cuda")
        self.assertIn("cuda is installed", text)
        self.assertIn("Its worker starts.", text)
        self.assertTrue(self.pack()["installed"])
        self.assertIsNone(self.pack()["command"])
        report = json.loads(self.succeed("doctor", "--json", "--device", "cuda"))
        self.assertEqual(report["choice"]["device"], "cuda:0", report["headline"])
        self.assertEqual(report["pack_checks"], [{"pack": "cuda-13", "problem": None}])
        (ours,) = [pack for pack in report["packs"] if pack["name"] == "cuda-13"]
        self.assertTrue(ours["libraries"]["libraries"])
        for library in ours["libraries"]["libraries"]:
            self.assertIn("/packs/cuda/", library["path"])

    def test_links_of_a_page_that_moved_lead_on_from_where_it_is(self):
        self.page_moves = True
        self.assertIn("cuda is installed", self.succeed("packs", "install", "cuda"))

    def test_only_the_wanted_files_are_kept(self):
        self.succeed("packs", "install", "cuda")
        found = {str(f.relative_to(self.store / "cuda")) for f in self.store.rglob("*") if f.is_file()}
        wanted = {file["path"] for package in self.listed for file in package["files"]}
        self.assertEqual(found, wanted | {"pack.json"})
        self.assertEqual((self.store / "cuda/torch/lib").stat().st_mode & 0o777, 0o755)

    def test_removing_leaves_nothing(self):
        self.succeed("packs", "install", "cuda")
        self.assertEqual(self.succeed("packs", "remove", "cuda").splitlines(), [
            "cuda is removed", "A server that runs goes on with the old libraries: restart it."])
        self.assertEqual([entry for entry in self.left() if not entry.startswith("cache")], [])
        self.fail_with(MODEL, "the pack cuda is not installed", "packs", "remove", "cuda")
        self.assertEqual(self.scribed("doctor", "--device", "cuda").returncode, WORKER)

    def test_a_second_time_nothing_is_fetched(self):
        self.succeed("packs", "install", "cuda")
        self.hub.requests.clear()
        self.assertIn("installed already", self.succeed("packs", "install", "cuda"))
        self.assertEqual(self.hub.requests, [])
        self.succeed("packs", "install", "cuda", "--force")
        self.assertTrue(self.hub.requests)

    def test_from_a_folder_nothing_is_asked_of_the_network(self):
        wheels = self.folder / "wheels"
        wheels.mkdir()
        for file, content in self.wheels.items():
            (wheels / file).write_bytes(content)
        self.succeed("packs", "install", "cuda", "--from", wheels)
        self.assertEqual(self.hub.requests, [])
        self.assertEqual(len(list(wheels.iterdir())), len(self.wheels))
        self.succeed("packs", "remove", "cuda")
        missing = next(iter(self.wheels))
        (wheels / missing).unlink()
        self.fail_with(MODEL, f"{missing} is not in", "packs", "install", "cuda", "--from", wheels)

    def test_an_update_that_needs_other_libraries_says_so(self):
        self.succeed("packs", "install", "cuda")
        self.add("nvidia-more", "1.0", [("nvidia/more/lib/libmore.so.1", b"more")],
                 ["nvidia/more/lib/libmore.so.1"])
        self.ship()
        self.hub.files = dict(self.wheels)
        self.assertFalse(self.pack()["installed"])
        self.succeed("packs", "install", "cuda")
        self.assertTrue((self.store / "cuda/nvidia/more/lib/libmore.so.1").exists())

    def test_unknown_packs_are_refused(self):
        self.fail_with(MODEL, "there is no runtime pack 'rocm'", "packs", "install", "rocm")
        self.fail_with(MODEL, "no runtime pack '../models'", "packs", "remove", "../models")


class Trouble(PacksTest):
    def test_a_broken_connection_goes_on(self):
        self.hub.cut_after = 300_000
        self.succeed("packs", "install", "cuda")
        self.assertEqual(self.hub.ranges()[:2], [None, "bytes=300000-"])

    def test_a_killed_installation_goes_on(self):
        self.hub.stall_after = 300_000
        install = subprocess.Popen([bin_folder() / "scribed", "packs", "install", "cuda"],
                                   env=self.environment(), stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        self.addCleanup(install.stderr.close)
        self.addCleanup(install.stdout.close)
        self.addCleanup(install.wait)
        self.addCleanup(install.kill)
        self.assertTrue(self.hub.stalled.wait(60))
        part = self.store / ".partial/cuda/wheels/torch-2.11.0-py3-none-any.whl.part"
        deadline = time.monotonic() + 60
        while not part.exists() or part.stat().st_size < 300_000:
            self.assertLess(time.monotonic(), deadline, "nothing arrived")
            time.sleep(0.01)
        self.fail_with(BUSY, f"another scribed (process {install.pid})", "packs", "install", "cuda")
        self.fail_with(BUSY, "is working on the runtime pack cuda", "packs", "remove", "cuda")
        install.send_signal(signal.SIGKILL)
        install.wait()
        self.hub.release()
        self.assertFalse((self.store / "cuda").exists())
        self.succeed("packs", "install", "cuda")
        self.assertIn("bytes=300000-", self.hub.ranges())

    def test_a_wrong_hash_is_not_installed(self):
        file = next(iter(self.wheels))
        right = self.wheels[file]
        self.hub.files[file] = right[:-100] + bytes(100)
        said = self.fail_with(MODEL, "expected sha256", "packs", "install", "cuda")
        self.assertIn("--index", said)
        self.assertFalse((self.store / "cuda").exists())
        self.hub.files[file] = right
        self.succeed("packs", "install", "cuda")

    def test_a_file_that_grows_is_cut(self):
        file = next(iter(self.wheels))
        self.hub.files[file] += bytes(5_000_000)
        self.fail_with(MODEL, "more arrive", "packs", "install", "cuda")
        self.assertLess(sum(f.stat().st_size for f in self.data.rglob("*") if f.is_file()), 2_000_000)

    def test_an_index_without_the_file_is_named(self):
        file = next(iter(self.wheels))
        del self.wheels[file]
        said = self.fail_with(MODEL, f"does not list {file}", "packs", "install", "cuda")
        self.assertIn("--from FOLDER", said)

    def test_a_full_disk_is_told_and_leaves_no_half_pack(self):
        def little():
            resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, resource.RLIM_INFINITY))
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        said = self.fail_with(DISK, "torch", "packs", "install", "cuda", preexec_fn=little)
        self.assertIn("scribed packs remove cuda", said)
        self.assertFalse((self.store / "cuda").exists())
        self.succeed("packs", "remove", "cuda")
        self.assertEqual([entry for entry in self.left() if not entry.startswith("cache")], [])

    @unittest.skipUnless(os.geteuid() == 0, "mounts a small disk")
    def test_too_small_a_disk_is_refused_before_anything_is_fetched(self):
        self.data.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=512k,mode=755", "none", self.data],
                                 capture_output=True)
        if mounted.returncode:
            self.skipTest("tmpfs cannot be mounted here")
        self.addCleanup(subprocess.run, ["umount", self.data], check=True)
        self.fail_with(DISK, "MB needed", "packs", "install", "cuda")
        self.assertEqual(self.hub.ranges(), [])

    def test_two_at_once_install_it_once(self):
        codes = []
        threads = [threading.Thread(target=lambda: codes.append(
            self.scribed("packs", "install", "cuda").returncode)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertIn(0, codes)
        self.assertLessEqual(set(codes), {0, BUSY})
        self.assertTrue(self.pack()["installed"])
        self.assertFalse((self.store / ".partial").exists())

    def test_damage_is_found_and_mended(self):
        self.succeed("packs", "install", "cuda")
        library = self.store / "cuda/torch/lib/libtorch_cuda.so"
        os.truncate(library, 10)
        report = self.scribed("doctor", "--device", "cuda")
        self.assertEqual(report.returncode, WORKER, report.stdout)
        self.assertIn("has 10 bytes instead of 600000", " ".join(report.stdout.split()))
        self.succeed("packs", "install", "cuda")
        self.succeed("doctor", "--device", "cuda")

    def test_a_worker_that_does_not_start_is_told(self):
        worker = self.machine.libexec / "runtimes/cuda-13/scribed-worker"
        worker.write_text("#!/bin/sh\necho 'GLIBC_2.99 not found' >&2\nexit 127\n")
        said = self.fail_with(WORKER, "its worker does not start", "packs", "install", "cuda")
        self.assertIn("GLIBC_2.99 not found", said)


class HostileIndex(PacksTest):
    """Pages that lead elsewhere, or nowhere: no file of this machine is taken for a package, and none is written but
    below the store."""

    def refuses(self, text, page, status=200, most=2_000_000, **headers):
        """`page` is that of each package, in pieces."""
        def instead(handler, body):
            if not handler.path.startswith("/simple/"):
                return False
            handler.send_response(status)
            for name, value in {"Content-Type": "text/html", **headers}.items():
                handler.send_header(name, value)
            handler.end_headers()
            for piece in page if body else ():
                handler.wfile.write(piece)
            return True

        self.hub.instead = instead
        self.fail_with(MODEL, text, "packs", "install", "cuda")
        self.assertFalse((self.store / "cuda").exists())
        self.assertLess(sum(f.stat().st_size for f in self.data.rglob("*") if f.is_file()), most)
        self.assertFalse([path for _, path, _ in self.hub.requests if ".." in path])

    def links(self, form):
        """A page with a link for each file, in that form."""
        return [f'<a href="{form.format(file=file)}">{file}</a>\n'.encode() for file in self.wheels]

    def test_files_of_this_machine_are_no_packages(self):
        for file, content in self.wheels.items():
            (self.folder / file).write_bytes(content)
        self.refuses("cannot fetch file://", self.links(f"file://{self.folder}/{{file}}"))

    def test_a_page_that_leads_to_a_file_is_none(self):
        page = self.folder / "page.html"
        page.write_bytes(b"".join(self.links(f"{self.hub.endpoint}/cdn/{{file}}")))
        self.refuses("the server answered 302", [], 302, Location=f"file://{page}")

    def test_a_path_is_no_name(self):
        self.refuses("does not list", self.links("../../cdn/..%2f..%2f{file}"))
        self.refuses("does not list", self.links("../../cdn/{file}%00.zip"))

    def test_a_page_without_end_is_cut(self):
        self.refuses("more arrive", itertools.repeat(b"x" * 65536), most=40_000_000)


if __name__ == "__main__":
    unittest.main()
