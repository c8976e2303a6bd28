#!/usr/bin/env python3
"""Makes packages from a release build: see scripts/package, which calls this.

Usage: make.py BUILD OUT KIND…   with KIND one of tree, archive, wheel, bundle, recipes"""
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import archive  # noqa: E402
import bundle  # noqa: E402
import elf  # noqa: E402
import licences  # noqa: E402
import parts  # noqa: E402
import sbom  # noqa: E402
import stand_ins  # noqa: E402
import tree as trees  # noqa: E402
import wheel  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
DEPS = ROOT / ".deps"
# Where a release lies and who makes it. These addresses are examples of nobody (RFC 2606) until a
# release says its own.
PLACES = {"HOMEPAGE": os.environ.get("SCRIBED_HOMEPAGE", "https://example.org/scribed"),
          "DOWNLOADS": os.environ.get("SCRIBED_DOWNLOADS", "https://example.org/scribed/releases"),
          "NAMESPACE": os.environ.get("SCRIBED_NAMESPACE", "org.example")}


def project_version():
    return re.search(r"^project\(scribed VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(),
                     re.M)[1]


def epoch():
    """The time that everything in a package has: SOURCE_DATE_EPOCH, or that of the commit."""
    if "SOURCE_DATE_EPOCH" in os.environ:
        return int(os.environ["SOURCE_DATE_EPOCH"])
    ran = subprocess.run(["git", "-C", str(ROOT), "log", "-1", "--format=%ct"],
                         capture_output=True, text=True)
    return int(ran.stdout) if ran.returncode == 0 else 0


def filled(template, **values):
    text = (ROOT / "packaging" / template).read_text()
    for name, value in {**PLACES, "VERSION": project_version(), **values}.items():
        text = text.replace(f"@{name}@", value)
    return text


class Maker:
    def __init__(self, build, out):
        self.build, self.out = build.resolve(), out.resolve()
        self.version, self.epoch = project_version(), epoch()
        self.stem = f"scribed-{self.version}-linux-x86_64"
        self.tree = self.out / self.stem
        self.parts = []

    def make_tree(self):
        trees.install(self.build, self.tree)
        helpers, own = self.tree / trees.HELPERS, DEPS / "libraries/lib"
        # Real copies and stand-ins lie in one folder, from which libraries are taken before the system's.
        preferred = self.out / "preferred"
        shutil.rmtree(preferred, ignore_errors=True)
        shutil.copytree(own, preferred)
        made = stand_ins.write(preferred, helpers / "libtorch_cpu.so",
                               trees.system_libraries()["libicuuc.so.72"])
        taken = trees.add_libraries(self.tree, preferred)
        shutil.rmtree(preferred)
        trees.set_search_paths(self.tree)
        self.describe(taken, made, own)
        trees.set_modes(self.tree)
        self.check()

    def describe(self, taken, made, own):
        wheels = ROOT / "scripts/requirements/torch.txt"
        self.parts = parts.all_parts(self.tree, self.version, taken, own, made, wheels,
                                     DEPS / "licences", ROOT / "web")
        documentation = self.tree / trees.DOCUMENTATION
        (documentation / "LICENCES.txt").write_text(licences.document(self.parts, self.version))
        shutil.rmtree(documentation / "torch")
        shutil.rmtree(documentation / "nvidia_cuda_runtime", ignore_errors=True)
        document = sbom.document(self.parts, self.tree, self.version, self.epoch)
        (documentation / "sbom.spdx.json").write_text(json.dumps(document, indent=1) + "\n")

    def check(self):
        found = list(elf.complaints(self.tree))
        for sentence in found:
            print(f"error: {sentence}", file=sys.stderr)
        if found:
            raise SystemExit(1)
        floors = elf.floors(self.tree)
        self.newest_glibc = floors["GLIBC"][0]
        for family, (newest, files) in floors.items():
            print(f"needs {family}_{elf.dotted(newest)}: {', '.join(files)}")

    def archive(self):
        return archive.write(self.tree, self.stem, self.out, self.epoch)

    def wheel(self):
        documentation = self.tree / trees.DOCUMENTATION
        expression = " AND ".join(sorted({part.licence if " " not in part.licence else
                                          f"({part.licence})" for part in self.parts}))
        readme = (ROOT / "packaging/wheel.md").read_text()
        texts = {"METADATA": wheel.metadata(self.version, readme, expression,
                                            f"{PLACES['NAMESPACE']}/scribed"),
                 "licenses/LICENSE": (documentation / "LICENSE").read_text(),
                 "licenses/LICENCES.txt": (documentation / "LICENCES.txt").read_text(),
                 "sboms/scribed.spdx.json": (documentation / "sbom.spdx.json").read_text()}
        return wheel.write(self.tree, self.version, wheel.platform_tag(self.newest_glibc), self.out,
                           self.epoch, texts)

    def bundle(self):
        made = bundle.write(self.tree, filled("mcp/manifest.json"), self.stem, self.out, self.epoch)
        (self.out / "server.json").write_text(
            filled("mcp/server.json", SHA256=archive.digest(made)))
        return made

    def recipes(self):
        packed = self.out / f"{self.stem}.tar.zst"
        if not packed.exists():
            raise SystemExit("error: recipes name an archive, which has to be made first")
        for template, name in (("homebrew/scribed.rb", "scribed.rb"), ("aur/PKGBUILD", "PKGBUILD")):
            (self.out / name).write_text(filled(template, SHA256=archive.digest(packed)))
        return self.out / "PKGBUILD"


def main():
    build, out, *kinds = sys.argv[1:]
    maker = Maker(Path(build), Path(out))
    maker.out.mkdir(parents=True, exist_ok=True)
    if set(kinds) - {"recipes"}:
        maker.make_tree()
    for kind in kinds:
        if kind != "tree":
            made = getattr(maker, kind)()
            print(f"{made.name}: {made.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
