#!/usr/bin/env python3
"""Checks the includes of every source against the table of folders (see docs/architecture.md).

A folder may include itself, what its row names, and the standard library. Rows are looked up by the
longest matching path, so engine/worker may differ from engine. In server/ a row means that folder and
none below it, the folders have no cycle, each is a CMake target that depends on what its row names,
and only what a target lists as HEADERS is included by others. Also holds how long a file may be, that
JSON is parsed in one place, and that one folder reads the environment.

`check_includes.py --graph` prints which folder of server/ includes which, lowest layer first.
"""
import argparse
import re
import sys
from collections import defaultdict
from pathlib import Path

STANDARD = "std"
BOOST_VALUES = ["boost/system", "boost/assert"]
ASIO = ["boost/asio", *BOOST_VALUES]
FFMPEG = ["libav", "libsw", "soxr"]
TORCH = ["ATen", "c10", "torch"]
WHISPER = "engine/whisper/constants.h"
TORCH_PARTS = "engine/torch_parts/torch_parts.h"
MEL_WINDOW = "engine/whisper/audio/mel_window.h"
MACHINE = ["platform/" + name + ".h" for name in
           ("build_info", "child_environment", "cpu", "cpu_sets", "cpu_system", "device", "error", "model_size", "runtime_pack",
            "unique_fd", "version")]

# Each entry is folder: (own folders, libraries). A library is a prefix of the included path.
RULES = {
    "platform": (["protocol/frame.h"], ["nlohmann", *BOOST_VALUES]),
    "platform/facts": (MACHINE, ["nlohmann", *BOOST_VALUES]),
    "platform/matrix": (MACHINE, ["nlohmann", *BOOST_VALUES]),
    "platform/probe": ([*MACHINE, "platform/facts"], ["nlohmann", *BOOST_VALUES]),
    "platform/verdict": ([*MACHINE, "platform/facts", "platform/matrix"],
                         ["nlohmann", "fmt", *BOOST_VALUES]),
    "protocol": ([], ["nlohmann", *BOOST_VALUES]),
    "protocol/subtitles": (["protocol"], ["unicode", *BOOST_VALUES]),
    "protocol/docx": (["protocol"], ["zip.h", "nlohmann", *BOOST_VALUES]),
    "engine": (["platform"], [*BOOST_VALUES]),
    # What any recogniser needs.
    "engine/audio": (["engine/error.h", "platform/child_environment.h", "platform/unique_fd.h"], []),
    "engine/media": (["engine/error.h", "platform", "protocol"],
                     [*FFMPEG, "seccomp", "nlohmann", "CLI", *BOOST_VALUES]),
    "engine/weights": (["engine/error.h", "platform", "protocol/json_parse.h"], ["nlohmann"]),
    "engine/vad": (["engine/audio", "engine/error.h", "engine/weights"], []),
    "engine/kernels": (["platform/cpu.h"], ["boost/align"]),
    "engine/device": (["engine/error.h", "platform/cpu.h"], []),
    "engine/schedule": (["protocol/work_class.h", "protocol/worker_contract.h"], []),
    "engine/torch": (["engine/device", "engine/error.h", "engine/exception_error.h", "platform"], TORCH),
    "engine/cuda_kernels": (["engine/torch"], TORCH),
    "engine/speakers": (["engine/audio", "engine/error.h", "engine/kernels", "engine/vad", "engine/weights",
                         "protocol/known_speaker.h", "protocol/speakers.h",
                         "protocol/transcribe_options.h", "protocol/transcript.h"], []),
    "engine/speakers/recognizer": (["engine/audio", "engine/error.h", "engine/live/live_source.h", "engine/recognizer",
                                    "engine/speakers", TORCH_PARTS, "engine/vad", "platform", "protocol"], []),
    "engine/speakers/networks": (["engine/audio", "engine/device", "engine/error.h", "engine/kernels", "engine/speakers",
                                  "engine/torch", "engine/weights", "platform/cpu.h"], TORCH),
    "engine/live": (["engine/audio", "engine/error.h", "engine/vad", "platform/unique_fd.h",
                     "protocol/live_events.h", "protocol/live_options.h",
                     "protocol/transcript_event.h"], []),
    "engine/recognizer": (["engine/audio", "engine/device", "engine/error.h", "engine/live/live_source.h", "platform/model_size.h",
                           "protocol/device_use.h", "protocol/live_options.h",
                           "protocol/transcribe_options.h", "protocol/transcript_event.h",
                           "protocol/work_class.h"], []),
    # Whisper, from what knows least to what knows most.
    "engine/whisper": ([], []),
    "engine/whisper/text": (["engine/error.h", WHISPER, "protocol/json_parse.h",
                             "protocol/languages.h", "protocol/transcribe_options.h"], ["unicode", "nlohmann"]),
    "engine/whisper/weights": (["engine/error.h", "engine/weights", "engine/whisper/text/byte_level.h", WHISPER,
                                "protocol/json_parse.h"], ["nlohmann"]),
    "engine/whisper/words": ([WHISPER, "engine/whisper/text", "engine/whisper/weights",
                              "protocol/transcript.h"], ["unicode"]),
    "engine/whisper/audio": (["engine/audio", "engine/error.h", "engine/kernels/power_spectra.h", WHISPER], []),
    "engine/whisper/cpu": (["engine/error.h", "engine/kernels", "engine/weights", WHISPER,
                            "engine/whisper/weights", "platform"], ["xxhash"]),
    "engine/whisper/choice": (["engine/kernels/each_level.h", "engine/whisper/text/special_tokens.h"], []),
    "engine/whisper/model": (["engine/device", "engine/error.h", "engine/exception_error.h", "engine/kernels",
                              "engine/weights", WHISPER, MEL_WINDOW, "engine/whisper/choice", "engine/whisper/cpu",
                              "engine/whisper/text/special_tokens.h", "engine/whisper/weights", "platform"], []),
    "engine/whisper/decoding": (["engine/error.h", "engine/whisper/choice", "engine/whisper/text",
                                 "engine/whisper/weights"],
                                ["zlib.h", "unicode"]),
    "engine/whisper/runner": (["engine/error.h", "engine/exception_error.h", "engine/schedule",
                               "engine/whisper/decoding", "engine/whisper/model",
                               "protocol/device_use.h", "protocol/transcript.h", "protocol/work_class.h",
                               "protocol/worker_contract.h"], []),
    "engine/whisper/transcriber": (["engine/audio", "engine/error.h", "engine/live/live_source.h",
                                    "engine/recognizer", "engine/vad", WHISPER,
                                    "engine/whisper/audio", "engine/whisper/choice/logit_row.h", "engine/whisper/decoding",
                                    "engine/whisper/runner", "engine/whisper/text",
                                    "engine/whisper/weights/dims.h", "engine/whisper/words", "protocol/transcribe_options.h",
                                    "protocol/languages.h", "protocol/live_events.h", "protocol/live_options.h",
                                    "protocol/sentence_end.h", "protocol/transcript_event.h",
                                    "protocol/worker_contract.h"], []),
    # The models of libtorch's operations, and the choice of tokens where their logits are.
    "engine/whisper/device_choice": (["engine/cuda_kernels", "engine/torch", "engine/whisper/choice",
                                      "engine/whisper/text/special_tokens.h"], TORCH),
    "engine/whisper/torch_model": (["engine/cuda_kernels", "engine/device", "engine/error.h", "engine/torch",
                                    "engine/weights", WHISPER, MEL_WINDOW, "engine/whisper/choice",
                                    "engine/whisper/cpu/window_rows.h", "engine/whisper/device_choice", "engine/whisper/model",
                                    "engine/whisper/text/special_tokens.h", "engine/whisper/weights"], TORCH),
    "engine/whisper/bench": (["engine/device", "engine/error.h", "engine/kernels", "engine/torch", "engine/weights",
                              WHISPER, "engine/whisper/model", "engine/whisper/torch_model", "engine/whisper/weights",
                              "platform", "protocol/bench_messages.h"], TORCH),
    "engine/whisper/recognizer": (["engine/audio", "engine/error.h", "engine/live/live_source.h", "engine/recognizer",
                                   "engine/kernels", TORCH_PARTS, "engine/whisper", "platform", "protocol"], []),
    # What needs libtorch, behind one table.
    "engine/torch_parts": (["engine/device", "engine/error.h", "engine/speakers", "engine/torch",
                            "engine/whisper/bench", "engine/whisper/model",
                            "engine/whisper/text/special_tokens.h", "engine/whisper/torch_model",
                            "engine/whisper/weights", "platform", "protocol"], TORCH),
    # The list of families, and the process that runs one of their models.
    "engine/model_families": (["engine/error.h", "engine/recognizer", "engine/speakers/recognizer/family.h",
                         "engine/whisper/recognizer/family.h",
                         "platform/landlock.h", "protocol/bench_messages.h"], []),
    "engine/worker": (["engine/audio", "engine/error.h", "engine/live", "engine/model_families/load.h",
                       "engine/exception_error.h", "engine/kernels/chosen_isa.h", "engine/recognizer", "engine/speakers", TORCH_PARTS, "engine/vad",
                       "platform", "protocol"],
                      ["CLI", "seccomp"]),
    # In the order of server/README.md: a folder needs only those before it.
    "server/base": (["platform/unique_fd.h", "protocol/error.h"], ["fmt", *ASIO]),
    "server/log": (["server/base", "platform"], ["fmt", "spdlog"]),
    "server/lifecycle": (["server/base", "platform"], ASIO),
    "server/outbound": (["server/base"], ["curl", *ASIO]),
    "server/http": (["server/base", "platform", "protocol"],
                    ["boost/algorithm", "boost/beast", "fmt", "openssl", *ASIO]),
    "server/sessions": (["server/base", "server/http", "platform"], ["boost/beast", "fmt", "SQLiteCpp", *ASIO]),
    "server/web": (["server/http"], ["boost/beast", "zlib.h"]),
    "server/options": (["server/base", "protocol"], ["fmt", "nlohmann"]),
    "server/hosts": (["server/base", "protocol"], ["nlohmann", "toml++"]),
    "server/config": (["server/base", "server/options", "server/http/client_address.h",
                       "server/http/listen_address.h", "server/http/origin_guard.h", "protocol"],
                      ["fmt", "nlohmann", "toml++"]),
    "server/process": (["server/base", "server/log", "platform", "protocol"], ["fmt", *ASIO]),
    "server/models": (["server/base", "server/process", "engine/model_families/inspect.h",
                      "engine/recognizer/inspection.h", "engine/speakers/speaker_files.h", "engine/vad",
                      "platform", "protocol"], ["curl", "nlohmann", "openssl", *BOOST_VALUES]),
    "server/pulls": (["server/base", "server/models"], ["fmt", *ASIO]),
    "server/packs": (["server/base", "server/models", "engine/error.h", "engine/weights", "platform"],
                     ["curl", "zlib.h", *BOOST_VALUES]),
    "server/client": (["server/base", "server/http/key_proof.h", "server/models", "platform/unique_fd.h", "protocol/json_parse.h"],
                      ["curl", "fmt", "nlohmann"]),
    "server/device": (["server/base", "engine/model_families/inspect.h", "platform", "protocol"],
                      ["fmt", "nlohmann"]),
    "server/inputs": (["server/base", "server/outbound", "platform", "protocol"],
                      ["fmt", "nlohmann", *ASIO]),
    "server/objects": (["server/base", "server/inputs", "server/models", "platform"],
                       ["curl", "fmt", *ASIO]),
    "server/bridge": (["server/base", "server/client", "server/inputs", "protocol"],
                      ["nlohmann", *ASIO]),
    "server/webhooks": (["server/base", "server/outbound", "protocol"],
                        ["fmt", "openssl", *ASIO]),
    "server/transcription": (["server/base", "server/device", "server/process", "server/models",
                              "platform", "protocol"], ["fmt", "nlohmann", *ASIO]),
    "server/jobs": (["server/base", "server/inputs", "server/process", "server/transcription",
                     "platform", "protocol"], ["fmt", "nlohmann", "unicode", *ASIO]),
    "server/jobs_postgres": (["server/base", "server/jobs", "platform", "protocol"], ["fmt", "libpq-fe.h", "nlohmann"]),
    "server/sessions_postgres": (["server/jobs_postgres", "server/sessions"], ["fmt"]),
    "server/uploads_postgres": (["server/inputs", "server/jobs_postgres"], ["fmt"]),
    "server/jobs_sqlite": (["server/base", "server/jobs", "platform/unique_fd.h", "protocol"],
                           ["fmt", "nlohmann", "SQLiteCpp", "sqlite3.h"]),
    "server/metrics": (["server/http", "server/jobs", "server/transcription"], ["prometheus"]),
    "server/submission": (["server/base", "server/inputs", "server/jobs", "server/models",
                           "server/options", "platform/unique_fd.h", "protocol"], ["fmt", *ASIO]),
    "server/live": (["server/base", "server/http", "server/inputs/kept_sound.h",
                     "server/inputs/sound_store.h", "server/jobs", "server/metrics",
                     "server/models", "server/process", "server/submission", "server/transcription", "engine/model_families/inspect.h", "platform/unique_fd.h",
                     "protocol"],
                    ["boost/beast", "fmt", "soxr", *ASIO]),
    "server/api": (["server/base", "server/device", "server/http", "server/inputs", "server/jobs", "server/live",
                    "server/metrics", "server/options", "server/models",
                    "server/pulls", "server/sessions", "server/submission", "server/transcription", "server/web", "protocol"],
                   ["boost/algorithm", "boost/beast", "fmt", "nlohmann", "openssl", *ASIO]),
    "server/mcp": (["server/base", "server/http", "platform", "protocol"], ASIO),
    "server/mcp/tools": (["server/base", "server/device", "server/http", "server/inputs",
                          "server/jobs", "server/log", "server/mcp", "server/options",
                          "server/models", "server/submission", "server/transcription",
                          "platform", "protocol"], ["fmt", "nlohmann", "unicode", *ASIO]),
    "server/daemon": (["server/api", "server/base", "server/config", "server/device",
                       "server/http", "server/inputs", "server/jobs", "server/jobs_postgres", "server/jobs_sqlite", "server/live", "server/log", "server/mcp",
                       "server/mcp/tools", "server/metrics", "server/lifecycle", "server/process",
                       "server/models", "server/objects", "server/pulls", "server/sessions", "server/sessions_postgres",
                       "server/submission",
                       "server/transcription", "server/uploads_postgres", "server/webhooks", "platform", "protocol"],
                      ["fmt", "nlohmann", *ASIO]),
    "server/commands": (["server/base", "server/bridge", "server/client", "server/config", "server/daemon", "server/device", "server/hosts",
                         "server/http", "server/inputs", "server/jobs_postgres", "server/log", "server/mcp",
                         "server/mcp/tools", "server/lifecycle", "server/options", "server/process",
                         "server/models", "server/packs", "server/submission", "server/transcription",
                         "engine/model_families/inspect.h", "platform",
                         "protocol"],
                        ["CLI", "curl", "fmt", "nlohmann", *ASIO]),
    "server": (["server/base", "server/commands", "server/process/init_process.h"], ["CLI", "fmt"]),
}
# Headers of the C library and the kernel, which every folder may include.
SYSTEM = re.compile(r"^(sys|linux|netinet|arpa|asm|gnu|mach|mach-o)/|^[a-z0-9_]+\.h$")
INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', re.M)
MAX_LINES = 350
# Only one file parses JSON, because foreign JSON must be read within limits, and in time that grows
# with its size.
PARSES_JSON = re.compile(r"\b(ordered_json|[Jj]son)::(parse|accept)\(")
JSON_PIECE = Path("protocol/json_parse.cpp")
# Only this folder reads the environment; everything else in server/ gets its values from there.
READS_ENVIRONMENT = re.compile(r"\b(getenv\(|environ\b)")
ENVIRONMENT_FOLDER = "server/config"
TARGET = re.compile(r"scribed_library\((\w+)(.*?)\)", re.S)


def rule_for(path):
    parts = path.parent.parts
    for length in range(len(parts), 0, -1):
        folder = "/".join(parts[:length])
        if folder in RULES:
            return folder, *RULES[folder]
    return None


def allowed(folder, own, libraries, quote, included):
    if quote == '"':
        if included in own:
            return True
        if included.startswith("server/"):
            return rule_for(Path(included))[0] in [folder, *own]
        return any(included.startswith(p + "/") for p in [folder, *own])
    if any(included.startswith(prefix) for prefix in libraries):
        return True
    # Standard headers have neither a folder nor an extension.
    return bool(re.fullmatch(r"[a-z_0-9]+", included)) or (
        bool(SYSTEM.match(included)) and not any(included.startswith(p) for p in [*FFMPEG, "zlib"]))


def server_sources(root):
    return [f for f in sorted((root / "server").rglob("*")) if f.suffix in (".h", ".cpp")]


def server_graph(root):
    """Folder of server/ -> the folders of server/ that it includes -> the headers."""
    graph = defaultdict(lambda: defaultdict(set))
    for file in server_sources(root):
        folder = rule_for(file.relative_to(root))[0]
        graph[folder]
        for quote, included in INCLUDE.findall(file.read_text(encoding="utf-8")):
            if quote == '"' and included.startswith("server/"):
                other = rule_for(Path(included))[0]
                if other != folder:
                    graph[folder][other].add(included)
    return graph


def layers_of(graph):
    """Folders in layers, each of which needs only earlier ones, and those that a cycle holds back."""
    layers, left = [], set(graph)
    while layer := sorted(f for f in left if not left & set(graph[f])):
        layers.append(layer)
        left -= set(layer)
    return layers, sorted(left)


def print_graph(graph):
    layers, cycle = layers_of(graph)
    for number, layer in enumerate([*layers, cycle] if cycle else layers):
        for folder in layer:
            needs = " ".join(sorted(f.removeprefix("server/") for f in graph[folder]))
            print(f"{number} {folder.removeprefix('server/')}: {needs or '-'}")
    print(f"in a cycle: {' '.join(cycle)}" if cycle else "no cycle")


def targets_of(root, folder):
    """What the CMake targets of a folder are called, depend on, and show of it to others."""
    names, depends, headers = set(), set(), set()
    text = (root / folder / "CMakeLists.txt").read_text(encoding="utf-8")
    for name, rest in TARGET.findall(text):
        parts = defaultdict(list)
        for word in rest.split():
            key = word if word.isupper() else key
            parts[key].append(word)
        names.add(name)
        depends |= set(parts["DEPENDS"])
        headers |= {f"{folder}/{header}" for header in parts["HEADERS"][1:]}
    return names, depends, headers


def check_server(root):
    graph = server_graph(root)
    cycle = layers_of(graph)[1]
    if cycle:
        yield f"server: a cycle is in or below {' '.join(cycle)}"
    shown = {h for folder in graph if folder.count("/") == 1 for h in targets_of(root, folder)[2]}
    for folder, needs in graph.items():
        for header in sorted({h for headers in needs.values() for h in headers} - shown):
            yield f"{folder}: {header} is no public header: name it in HEADERS of its folder"
        named = {rule_for(Path(p + "/x" if "." not in p else p))[0]
                 for p in RULES[folder][0] if p.startswith("server/")}
        if named != set(needs):
            yield f"{folder}: its row and its includes differ: {sorted(named ^ set(needs))}"
    for folder in (f for f in graph if f.count("/") == 1):
        inside = [f for f in graph if f == folder or f.startswith(folder + "/")]
        names, depends, _ = targets_of(root, folder)
        wanted = {f.replace("/", "_") for i in inside for f in graph[i]}
        linked = {d for d in depends if d.startswith("server_")}
        if wanted - names != linked - names:
            yield (f"{folder}/CMakeLists.txt: DEPENDS and includes differ: "
                   f"{sorted((wanted ^ linked) - names)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graph", action="store_true", help="print the folders of server/")
    parser.add_argument("root", nargs="?", default=".")
    arguments = parser.parse_args()
    root = Path(arguments.root).resolve()
    if arguments.graph:
        print_graph(server_graph(root))
    problems = list(check_server(root))
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
            if folder.startswith("server") and folder != ENVIRONMENT_FOLDER and (
                    READS_ENVIRONMENT.search(text)):
                problems.append(f"{path}: the environment is read by {ENVIRONMENT_FOLDER}")
            if top != "platform" and path != JSON_PIECE and PARSES_JSON.search(text):
                problems.append(f"{path}: JSON is read by protocol/json_parse.h")
            lines = text.count("\n")
            if lines > MAX_LINES:
                problems.append(f"{path}: {lines} lines; split it (at most {MAX_LINES})")
    print("\n".join(problems), file=sys.stderr) if problems else None
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
