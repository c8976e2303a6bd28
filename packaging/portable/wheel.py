"""A Python wheel of the same tree: pip puts `scribed` into bin/ of the environment and the rest into
lib/scribed, where the program finds it. There is no Python in it."""
import base64
import hashlib

from zip_file import ZipWriter


def platform_tag(newest_glibc):
    return f"manylinux_{newest_glibc[0]}_{newest_glibc[1]}_x86_64"


def metadata(version, readme, licence, mcp_name):
    """`mcp_name` proves to the registry of MCP servers that package and server are of the same people."""
    return (f"Metadata-Version: 2.4\nName: scribed\nVersion: {version}\n"
            "Summary: Speech to text with Whisper: a command, an OpenAI-compatible server, and MCP\n"
            f"License-Expression: {licence}\n"
            "License-File: LICENSE\nLicense-File: LICENCES.txt\n"
            "Keywords: speech-to-text,whisper,transcription,mcp\n"
            "Classifier: Environment :: Console\nClassifier: Operating System :: POSIX :: Linux\n"
            "Classifier: Topic :: Multimedia :: Sound/Audio :: Speech\n"
            "Description-Content-Type: text/markdown\n\n"
            f"<!-- mcp-name: {mcp_name} -->\n{readme}")


def wheel_file(tag):
    return ("Wheel-Version: 1.0\nGenerator: scribed\nRoot-Is-Purelib: false\n"
            f"Tag: py3-none-{tag}\n")


def record_line(name, data):
    encoded = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={encoded},{len(data)}"


def place(relative, stem):
    """Where pip has to find a file of the tree. All but the program goes below one folder of scribed's
    own: of folders that others may share, such as share/man, pip leaves empty ones behind."""
    if relative == "bin/scribed":
        return f"{stem}.data/scripts/scribed"
    inside = relative if relative.startswith("lib/scribed/") else f"lib/scribed/{relative}"
    return f"{stem}.data/data/{inside}"


def write(tree, version, tag, folder, epoch, texts):
    """`texts` are the files of .dist-info, without WHEEL and RECORD. Returns the wheel's path."""
    stem = f"scribed-{version}"
    wheel = folder / f"{stem}-py3-none-{tag}.whl"
    records = []
    with ZipWriter(wheel, epoch) as out:
        for path in sorted(path for path in tree.rglob("*") if path.is_file()):
            name, data = place(str(path.relative_to(tree)), stem), path.read_bytes()
            out.add(name, data, path.stat().st_mode & 0o777)
            records.append(record_line(name, data))
        for name, text in sorted({**texts, "WHEEL": wheel_file(tag)}.items()):
            name, data = f"{stem}.dist-info/{name}", text.encode()
            out.add(name, data)
            records.append(record_line(name, data))
        name = f"{stem}.dist-info/RECORD"
        out.add(name, "\n".join([*records, f"{name},,", ""]).encode())
    return wheel
