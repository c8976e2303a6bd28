"""The tree that archive, wheel and bundle share: what is installed, with every library but glibc and GCC's."""
import functools
import re
import shutil
import subprocess
from pathlib import Path

from elf import HOST, Elf, elf_files, fetched_later

HELPERS = "lib/scribed"
DOCUMENTATION = "share/doc/scribed"
# A service is its system's: these files say how one is made, and are documentation here.
MOVED = {"etc/scribed/config.toml": f"{DOCUMENTATION}/packaging/config.toml",
         "lib/systemd/system/scribed.service": f"{DOCUMENTATION}/packaging/systemd/scribed.service",
         "lib/sysusers.d/scribed.conf": f"{DOCUMENTATION}/packaging/sysusers.d/scribed.conf"}


def install(build, tree):
    """Runs the installation of a release build into an empty folder. Of a build with CUDA the worker for
    it comes along, whose libraries `scribed packs install` fetches."""
    shutil.rmtree(tree, ignore_errors=True)
    components = ["scribed"]
    if re.search(r"^SCRIBED_CUDA:BOOL=(ON|1|TRUE)$", (build / "CMakeCache.txt").read_text(), re.M):
        components.append("workers")
    for component in components:
        subprocess.run(["cmake", "--install", str(build), "--prefix", str(tree), "--component",
                        component, "--strip"], check=True, stdout=subprocess.DEVNULL)
    for place, moved in MOVED.items():
        (tree / moved).parent.mkdir(parents=True, exist_ok=True)
        (tree / place).rename(tree / moved)
    for folder in ("etc/scribed", "etc", "lib/systemd/system", "lib/systemd", "lib/sysusers.d"):
        (tree / folder).rmdir()


@functools.cache
def system_libraries():
    """{soname: path} of this machine's own libraries, as its loader finds them."""
    listed = subprocess.run(["/sbin/ldconfig", "-p"], check=True, capture_output=True, text=True)
    found = {}
    for name, path in re.findall(r"^\t(\S+) \(libc6,x86-64[^)]*\) => (\S+)$", listed.stdout, re.M):
        found.setdefault(name, Path(path).resolve())
    return found


def add_libraries(tree, own):
    """Puts beside the helpers whatever the tree asks for and lacks, from the folder `own` before the
    system. Returns {name: file} of what was taken from the system."""
    taken = {}
    # Libraries of `own` also take the place of those that the build brought along.
    for library in sorted((tree / HELPERS).glob("*.so*")):
        if (own / library.name).exists():
            shutil.copy(own / library.name, library)
    while True:
        files = elf_files(tree)
        present = {path.name for path in files}
        missing = sorted({name for path in files for name in Elf(path).needed
                          if name not in present | fetched_later(path) and not HOST.match(name)})
        if not missing:
            return taken
        for name in missing:
            if not (own / name).exists():
                if name not in system_libraries():
                    raise SystemExit(f"error: {name} is on this machine nowhere")
                taken[name] = system_libraries()[name]
            shutil.copy(taken.get(name, own / name), tree / HELPERS / name)


def set_search_paths(tree):
    """Has everything look beside itself before LD_LIBRARY_PATH, where another libstdc++ may lie."""
    packs = tree / HELPERS / "runtimes"
    for path in elf_files(tree):
        if packs in path.parents:
            continue
        wanted = "$ORIGIN" if path.parent.name == "scribed" else f"$ORIGIN/../{HELPERS}"
        if Elf(path).search_path != wanted:
            subprocess.run(["patchelf", "--force-rpath", "--set-rpath", wanted, str(path)],
                           check=True)


def set_modes(tree):
    for path in sorted(tree.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
    for path in elf_files(tree):
        path.chmod(0o644 if ".so" in path.name else 0o755)
