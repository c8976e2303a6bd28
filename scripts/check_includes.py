#!/usr/bin/env python3
"""Checks the includes of every source against the table of folders (see docs/architecture.md).

A folder may include itself, what its row names, and the standard library. Rows are looked up by the
longest matching path, so engine/worker may differ from engine. Also holds how long a file may be, and
that JSON is parsed in one place.
"""
import re
import sys
from pathlib import Path

STANDARD = "std"
BOOST_VALUES = ["boost/system", "boost/assert"]
FFMPEG = ["libav", "libsw", "soxr"]
TORCH = ["ATen", "c10", "torch"]
MACHINE = ["platform/" + name + ".h" for name in
           ("build_info", "child_environment", "cpu", "device", "error", "runtime_pack", "unique_fd",
            "version")]

# folder: (own folders, libraries). A library is a prefix of the included path.
RULES = {
    "platform": ([], ["nlohmann", *BOOST_VALUES]),
    "platform/facts": (MACHINE, ["nlohmann", *BOOST_VALUES]),
    "platform/matrix": (MACHINE, ["nlohmann", *BOOST_VALUES]),
    "platform/probe": ([*MACHINE, "platform/facts"], ["nlohmann", *BOOST_VALUES]),
    "platform/verdict": ([*MACHINE, "platform/facts", "platform/matrix"],
                         ["nlohmann", "fmt", *BOOST_VALUES]),
    "protocol": ([], ["nlohmann", *BOOST_VALUES]),
    "engine": (["platform"], [*BOOST_VALUES]),
    "engine/text": (["engine/error.h", "protocol/json_parse.h"], ["unicode", "nlohmann"]),
    "engine/weights": (["engine/error.h", "platform", "protocol/json_parse.h"], ["nlohmann"]),
    "engine/kernels": (["platform/cpu.h"], ["boost/align"]),
    "engine/cpu": (["engine/error.h", "engine/kernels", "engine/weights", "platform"], ["xxhash"]),
    "engine/vad": (["engine/error.h", "engine/weights"], []),
    "engine/words": (["engine/error.h", "engine/text", "engine/weights"], ["unicode"]),
    "engine/audio": (["engine/error.h", "platform"], TORCH),
    "engine/model": (["engine/cpu", "engine/error.h", "engine/kernels", "engine/weights",
                      "platform"], TORCH),
    "engine/decoding": (["engine/error.h", "engine/text", "engine/weights"],
                        [*TORCH, "zlib.h", "unicode"]),
    "engine/runner": (["engine/error.h", "engine/decoding", "engine/model",
                       "protocol/work_class.h"], TORCH),
    "engine/bench": (["engine/error.h", "engine/kernels", "engine/model", "engine/runner/device.h",
                      "engine/weights", "platform"], TORCH),
    "engine/transcriber": (["engine/error.h", "engine/audio", "engine/decoding", "engine/runner",
                            "engine/text", "engine/vad", "engine/words"], TORCH),
    "engine/worker": (["engine", "platform", "protocol"], [*TORCH, "CLI", "seccomp"]),
    "engine/media": (["engine/error.h", "platform", "protocol"],
                     [*FFMPEG, "seccomp", "nlohmann", "CLI", *BOOST_VALUES]),
    "server": (["platform", "protocol", "engine/text", "engine/vad", "engine/weights",
                "engine/error.h"],
               ["boost", "nlohmann", "fmt", "CLI", "openssl", "curl", "SQLiteCpp", "spdlog",
                "toml++", "prometheus"]),
}
# The C library and the kernel, open to everyone.
SYSTEM = re.compile(r"^(sys|linux|netinet|arpa|asm|gnu|mach)/|^[a-z0-9_]+\.h$")
INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', re.M)
MAX_LINES = 350
# JSON of others is read within limits, and in time that grows with its size: by one piece alone.
PARSES_JSON = re.compile(r"\b(ordered_json|[Jj]son)::(parse|accept)\(")
JSON_PIECE = Path("protocol/json_parse.cpp")


def rule_for(path):
    parts = path.parent.parts
    for length in range(len(parts), 0, -1):
        folder = "/".join(parts[:length])
        if folder in RULES:
            return folder, *RULES[folder]
    return None


def allowed(folder, own, libraries, quote, included):
    if quote == '"':
        return any(included == p or included.startswith(p + "/") for p in [folder, *own])
    if any(included.startswith(prefix) for prefix in libraries):
        return True
    # Standard headers have neither a folder nor an extension.
    return bool(re.fullmatch(r"[a-z_0-9]+", included)) or (
        bool(SYSTEM.match(included)) and not any(included.startswith(p) for p in [*FFMPEG, "zlib"]))


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    problems = []
    for top in ("platform", "protocol", "engine", "server"):
        for file in sorted((root / top).rglob("*")):
            if file.suffix not in (".h", ".cpp"):
                continue
            path = file.relative_to(root)
            text = file.read_text(encoding="utf-8")
            folder, own, libraries = rule_for(path)
            for quote, included in INCLUDE.findall(text):
                if not allowed(folder, own, libraries, quote, included):
                    problems.append(f"{path}: {folder} may not include {included}")
            if file.suffix == ".h" and "#pragma once" not in text:
                problems.append(f"{path}: no #pragma once")
            if top != "platform" and path != JSON_PIECE and PARSES_JSON.search(text):
                problems.append(f"{path}: JSON is read by protocol/json_parse.h")
            lines = text.count("\n")
            if lines > MAX_LINES:
                problems.append(f"{path}: {lines} lines; split it (at most {MAX_LINES})")
    print("\n".join(problems), file=sys.stderr) if problems else None
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
