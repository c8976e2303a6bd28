"""`scribed-VERSION-linux-x86_64.tar.zst`, of which the same tree gives the same bytes."""
import hashlib
import subprocess
import tarfile

LEVEL = "-19"
# Two programs of libtorch's size have much in common that lies far apart; every zstd unpacks this
# window without an option.
WINDOW = "--long=27"


def entry(path, name, epoch):
    """One member: its owner, group and time say nothing about the machine that packed it."""
    info = tarfile.TarInfo(name)
    info.mtime = epoch
    info.mode = path.lstat().st_mode & 0o777
    if path.is_symlink():
        info.type, info.linkname = tarfile.SYMTYPE, str(path.readlink())
    elif path.is_dir():
        info.type = tarfile.DIRTYPE
    else:
        info.size = path.stat().st_size
    return info


def write_tar(tree, stem, epoch, stream):
    with tarfile.open(fileobj=stream, mode="w|", format=tarfile.PAX_FORMAT) as tar:
        for path in [tree, *sorted(tree.rglob("*"))]:
            name = stem if path == tree else f"{stem}/{path.relative_to(tree)}"
            info = entry(path, name, epoch)
            if info.isreg():
                with open(path, "rb") as file:
                    tar.addfile(info, file)
            else:
                tar.addfile(info)


def write(tree, stem, folder, epoch):
    """Returns the archive's path."""
    archive = folder / f"{stem}.tar.zst"
    with open(archive, "wb") as out:
        # Blocks are divided the same way by any number of threads.
        with subprocess.Popen(["zstd", "-q", LEVEL, WINDOW, "-T0", "-c"], stdin=subprocess.PIPE,
                              stdout=out) as packer:
            write_tar(tree, stem, epoch, packer.stdin)
            packer.stdin.close()
            if packer.wait() != 0:
                raise SystemExit("error: zstd failed")
    return archive


def digest(path, algorithm="sha256"):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, algorithm).hexdigest()
