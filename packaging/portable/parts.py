"""What a portable tree is made of: one Part for each thing that has a licence of its own."""
import dataclasses
import json
import re
import subprocess
from pathlib import Path

from spdx import COMPILED_IN, IN_PAGE

COMMON = Path("/usr/share/common-licenses")

# By Debian's source packages. A library whose package has no row here is not shipped: somebody has to
# read its terms first.
LICENCES = {
    "bzip2": "bzip2-1.0.6", "curl": "curl", "ffmpeg": "LGPL-2.1-or-later", "fmtlib": "MIT",
    "gcc-12": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "icu": "Unicode-DFS-2016", "libseccomp": "LGPL-2.1-only", "libsoxr": "LGPL-2.1-or-later",
    "libzip": "BSD-3-Clause", "openssl": "Apache-2.0", "prometheus-cpp": "MIT", "spdlog": "MIT", "sqlite3": "blessing",
    "tomlplusplus": "MIT", "zlib": "Zlib",
}


@dataclasses.dataclass
class Part:
    name: str
    version: str
    licence: str  # an SPDX expression
    purl: str
    files: list  # of the tree; empty: it is compiled into the programs
    texts: list  # files
    note: str = ""


def query(package, fields):
    ran = subprocess.run(["dpkg-query", "-W", "-f", fields, package], check=True,
                         capture_output=True, text=True)
    return ran.stdout.split()


def owner(path):
    """The Debian package that a library of this machine is from."""
    for candidate in (str(path), re.sub("^/usr", "", str(path))):
        ran = subprocess.run(["dpkg-query", "-S", candidate], capture_output=True, text=True)
        if ran.returncode == 0:
            return ran.stdout.split(":")[0]
    raise SystemExit(f"error: {path} is of no Debian package, so nobody knows its licence")


def debian_purl(source, version):
    return f"pkg:deb/debian/{source}@{version}?arch=source&distro=debian-12"


def debian_texts(package):
    """The copyright file of a package, and the common texts that it points to."""
    file = Path("/usr/share/doc") / package / "copyright"
    named = sorted(set(re.findall(rf"{COMMON}/([A-Za-z]+-[0-9.]*[0-9])", file.read_text())))
    return [file, *(COMMON / name for name in named)]


def system_parts(taken):
    """Libraries of Debian's, by source package."""
    parts = {}
    for name, path in sorted(taken.items()):
        package = owner(path)
        source, version = query(package, "${source:Package} ${source:Version}")
        if source not in LICENCES:
            raise SystemExit(f"error: {name} is of {source}, which packaging/portable/parts.py does not know")
        part = parts.setdefault(source, Part(source, version, LICENCES[source],
                                             debian_purl(source, version), [], debian_texts(package)))
        part.files.append(name)
    return [parts[source] for source in sorted(parts)]


def built_parts(own):
    """What scripts/build_libraries built."""
    parts = {}
    for line in (own.parent / "sources").read_text().splitlines():
        source, version, library = line.split()
        part = parts.setdefault(source, Part(
            source, version, LICENCES[source], debian_purl(source, version), [],
            sorted((own.parent / "licences" / source).iterdir()),
            f"Built by scripts/build_libraries of scribed from Debian's source package {source} "
            f"{version}, with fewer parts. Another build of it can take its place."))
        part.files.append(library)
    return list(parts.values())


def compiled_parts():
    parts = []
    for package, licence in COMPILED_IN.items():
        source, version = query(package, "${source:Package} ${source:Version}")
        parts.append(Part(source, version, licence, debian_purl(source, version), [],
                          [Path("/usr/share/doc") / package / "copyright"]))
    return parts
def torch_parts(tree, wheels, extra):
    """libtorch, which brings oneMKL and GCC's libgomp along. `wheels` is scripts/requirements/torch.txt,
    `extra` the folder with the licences that PyTorch's package leaves out."""
    version = re.search(r"^torch==(\S+)", wheels.read_text(), re.M)[1]
    mkl = re.search(r"^mkl-include==(\S+)", (extra / ".installed").read_text(), re.M)[1]
    folder = tree / "share/doc/scribed/torch"
    texts = sorted(path for path in folder.rglob("*") if path.is_file())
    return [
        Part("libtorch", version, "BSD-3-Clause", f"pkg:pypi/torch@{version}",
             ["libc10.so", "libtorch_cpu.so"], texts,
             "As PyTorch publishes it, without names for debuggers. What is built into it has terms of "
             "its own, which the texts name one by one."),
        Part("oneMKL", mkl, "LicenseRef-ISSL", f"pkg:pypi/mkl-include@{mkl}", [],
             sorted(extra.glob("mkl_include-*.dist-info/LICENSE.txt"))
             + sorted(extra.glob("share/doc/mkl/licensing/third-party-programs.txt")),
             "Intel's library for linear algebra is built into libtorch_cpu.so."),
        Part("libgomp", "14", LICENCES["gcc-12"], f"pkg:generic/libgomp?from=torch@{version}",
             ["libgomp.so.1"], [COMMON / "GPL-3", Path("/usr/share/doc/gcc-12-base/copyright")],
             "As PyTorch publishes it; its source is that of GCC (gcc.gnu.org)."),
    ]


def page_parts(web):
    """What other people wrote of the page (web/), which is part of the program."""
    packages = json.loads((web / "package-lock.json").read_text())["packages"]
    parts = []
    for name in IN_PAGE:
        place = f"node_modules/{name}"
        version, licence = packages[place]["version"], packages[place]["license"]
        parts.append(Part(name, version, licence, f"pkg:npm/{name.replace('@', '%40')}@{version}", [],
                          sorted((web / place).glob("LICEN*"))))
    return parts


def own_part(tree, version, stand_ins):
    return Part("scribed", version, "Apache-2.0", f"pkg:generic/scribed@{version}",
                ["scribed", "scribed-decode", "scribed-worker", "libscribed-torch.so", *stand_ins],
                [tree / "share/doc/scribed/LICENSE"],
                "Those of its files that bear the names of NVIDIA's and ICU's libraries are empty "
                "stand-ins of scribed's own.")


def all_parts(tree, version, taken, own, stand_ins, wheels, extra, web):
    libraries = sorted([*built_parts(own), *system_parts(taken)], key=lambda part: part.name)
    return [own_part(tree, version, stand_ins), *torch_parts(tree, wheels, extra), *libraries, *compiled_parts(),
            *page_parts(web)]
