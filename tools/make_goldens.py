#!/usr/bin/env python3
"""Makes the golden transcripts that scribed's engine is compared with, token by token.

The reference is the Python package openai-whisper in float32 on the CPU, at temperature 0 without
fallback, so that nothing is sampled. Needs the environment of tools/requirements-openai.txt, the
recordings, and a checkpoint in OpenAI's format:

  make_goldens.py base.pt --name base greedy core languages joined
  make_goldens.py base.pt --name base beam core
  make_goldens.py base.pt --name base greedy core --decoder build/release/bin/scribed-decode

The first line of a golden file says how it was made; each further line is one clip. With --decoder
the samples come from that program instead of the ffmpeg command, and only clips whose samples
differ are written: how a recording is resampled is not the engine's doing, so the engine is
compared on equal samples.
"""

import argparse
import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile
import time

import numpy
import torch
import whisper
import whisper.version

sys.path.insert(0, os.fspath(pathlib.Path(__file__).resolve().parent))
from evaluate import manifest  # noqa: E402

GOLDENS = pathlib.Path(__file__).resolve().parents[1] / "tests" / "integration" / "data" / "goldens"
SEGMENT_FIELDS = [
    "seek",
    "start",
    "end",
    "tokens",
    "avg_logprob",
    "no_speech_prob",
    "compression_ratio",
    "text",
]


def decode_float(decoder, file):
    """What scribed-decode makes of a file: float32 samples, 16 kHz mono."""
    with open(file, "rb") as stream, open(os.devnull, "wb") as report:
        raw = subprocess.run(
            [decoder, "--report-fd", str(report.fileno())],
            stdin=stream,
            capture_output=True,
            check=True,
            pass_fds=[report.fileno()],
        ).stdout
    return numpy.frombuffer(raw, numpy.float32)


def segment_row(segment):
    row = [segment[field] for field in SEGMENT_FIELDS]
    return [round(value, 4) if isinstance(value, float) else value for value in row]


def transcribe(model, samples, mode):
    beam_size = 5 if mode == "beam" else None
    return model.transcribe(samples, temperature=0.0, beam_size=beam_size, fp16=False)


def golden_line(clip, result, mode):
    line = {"clip": clip.name, "language": result["language"]}
    if mode == "beam":
        return line | {"text": result["text"]}
    return line | {"segments": [segment_row(s) for s in result["segments"]]}


def header(arguments):
    return {
        "reference": f"openai-whisper {whisper.version.__version__}, float32, temperature 0 only, "
        + ("beam_size 5" if arguments.mode == "beam" else "greedy"),
        "samples": "scribed-decode; only clips where they differ from the ffmpeg command's"
        if arguments.decoder
        else "the ffmpeg command, as openai-whisper loads audio",
        "made_with": f"torch {torch.__version__}, {arguments.threads} thread(s), "
        f"{platform.machine()} {torch.backends.cpu.get_cpu_capability()}",
        "model": arguments.name,
        "fields": SEGMENT_FIELDS if arguments.mode == "greedy" else ["text"],
    }


def chosen_clips(arguments, scratch):
    clips = manifest.read_manifest(arguments.manifest or manifest.default_manifest())
    wanted = [word for word in arguments.sets if word != "joined"]
    chosen = manifest.choose(clips, wanted) if wanted else []
    if "joined" in arguments.sets:
        chosen.append(manifest.join(manifest.choose(clips, ["librispeech-test-other"]), scratch))
    return chosen


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("checkpoint", help="OpenAI .pt file")
    parser.add_argument("mode", choices=["greedy", "beam"])
    parser.add_argument(
        "sets", nargs="+", help="sets, folders or globs; joined: test-other as one file"
    )
    parser.add_argument("--name", required=True, help="model name, the start of the file's name")
    parser.add_argument("--decoder", help="take samples from this scribed-decode")
    parser.add_argument("--manifest")
    parser.add_argument("--out", type=pathlib.Path, default=GOLDENS)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_intermixed_args()

    torch.set_num_threads(arguments.threads)
    model = whisper.load_model(arguments.checkpoint, device="cpu")
    assert next(model.parameters()).dtype == torch.float32
    suffix = f"{arguments.mode}{'-own-samples' if arguments.decoder else ''}"
    target = arguments.out / f"{arguments.name}-{suffix}.jsonl"
    with tempfile.TemporaryDirectory() as scratch, open(target, "w", encoding="utf-8") as out:
        out.write(json.dumps(header(arguments), ensure_ascii=False) + "\n")
        for clip in chosen_clips(arguments, scratch):
            samples = whisper.audio.load_audio(os.fspath(clip.file))
            if arguments.decoder:
                own = decode_float(arguments.decoder, clip.file)
                if numpy.array_equal(own, samples):
                    continue
                samples = own
            began = time.monotonic()
            line = golden_line(clip, transcribe(model, samples, arguments.mode), arguments.mode)
            out.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")
            out.flush()
            took = time.monotonic() - began
            print(f"{clip.name}: {took:.1f} s, {line['language']}", file=sys.stderr)


if __name__ == "__main__":
    main()
