"""What programs and libraries ask of others, as the linker wrote it into them."""
import json
import re
import subprocess
from pathlib import Path

# A portable tree takes these from the machine: glibc, whose loader, threads and name service belong
# together, and GCC's runtime, of which a process can have one copy only, also where a driver brings
# libraries of its own along.
HOST = re.compile(r"(lib(c|m|dl|rt|pthread|resolv|util|gcc_s|stdc\+\+)|ld-linux-x86-64)\.so\.\d+$")
# The newest symbols that anything in a tree may ask of them: those of Ubuntu 22.04.
NEWEST = {"GLIBC": (2, 35), "GLIBCXX": (3, 4, 30), "CXXABI": (1, 3, 13), "GCC": (12, 0, 0)}


def fetched_later(path):
    """The libraries of a runtime pack that `scribed packs install` fetches, for its worker."""
    packages = path.parent / "packages.json"
    if not packages.exists():
        return set()
    listed = json.loads(packages.read_text())
    return {Path(file["path"]).name for package in listed["packages"] for file in package["files"]}


def is_elf(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def elf_files(tree):
    """All programs and libraries below a folder, sorted."""
    return [path for path in sorted(Path(tree).rglob("*"))
            if path.is_file() and not path.is_symlink() and is_elf(path)]


class Elf:
    """`needed`: names of libraries; `versions`: {library: {version, …}} of the symbols asked for."""

    def __init__(self, path):
        text = subprocess.run(["objdump", "-p", str(path)], check=True, capture_output=True,
                              text=True).stdout
        self.path = path
        self.needed = re.findall(r"^  NEEDED +(\S+)$", text, re.M)
        self.soname = next(iter(re.findall(r"^  SONAME +(\S+)$", text, re.M)), None)
        self.search_path = next(iter(re.findall(r"^  R(?:UN)?PATH +(\S+)$", text, re.M)), "")
        self.versions = {}
        _, _, references = text.partition("Version References:")
        for line in references.splitlines():
            if library := re.match(r"  required from (\S+):", line):
                asked = self.versions.setdefault(library[1], set())
            elif version := re.match(r"    0x\S+ 0x\S+ \d+ (\S+)", line):
                asked.add(version[1])

    def newest(self, prefix):
        """The newest version with this prefix ("GLIBC", "GLIBCXX"), as numbers; () for none."""
        found = [tuple(map(int, version[len(prefix) + 1:].split(".")))
                 for versions in self.versions.values() for version in versions
                 if re.fullmatch(prefix + r"_\d+(\.\d+)*", version)]
        return max(found, default=())


def dotted(numbers):
    return ".".join(map(str, numbers))


def floors(tree):
    """{family: (newest version, files that ask for it)}, by the symbols of every file."""
    files = [Elf(path) for path in elf_files(tree)]
    found = {}
    for family in NEWEST:
        newest = max(elf.newest(family) for elf in files)
        found[family] = newest, [elf.path.name for elf in files if elf.newest(family) == newest]
    return found


def complaints(tree):
    """Sentences on whatever would keep a tree from running elsewhere."""
    files = [Elf(path) for path in elf_files(tree)]
    present = {elf.path.name for elf in files}
    for elf in files:
        name = elf.path.relative_to(tree)
        for library in elf.needed:
            if library not in present | fetched_later(elf.path) and not HOST.match(library):
                yield f"{name} needs {library}, which is not in the tree"
        for part in filter(None, elf.search_path.split(":")):
            if not part.startswith("$ORIGIN"):
                yield f"{name} looks for libraries in {part}"
        for family, newest in NEWEST.items():
            if elf.newest(family) > newest:
                yield f"{name} needs {family}_{dotted(elf.newest(family))}, newer than {dotted(newest)}"
