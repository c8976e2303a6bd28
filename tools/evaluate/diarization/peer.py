"""One system in a process of its own.

  python -m evaluate.diarization.peer '{"system": "senko", "setting": "", "threads": 2, "models": FOLDER}'

Writes {} when it is ready; then for every line of standard input, a file's path, one line with its turns,
{"turns": [[start, end, speaker]], "wall_s": …, "cpu_s": …}, or {"error": …}.
"""

import importlib.metadata
import json
import os
import sys
import time


def senko(settings):
    """Its segments before it joins them for reading, on the CPU."""
    import senko as package
    import torch

    diarizer = package.Diarizer(device="cpu", warmup=False, quiet=True)
    torch.set_num_threads(settings["threads"])

    def diarize(file):
        found = diarizer.diarize(file) or {"raw_segments": []}
        return [(s["start"], s["end"], s["speaker"]) for s in found["raw_segments"]]

    return diarize


def sherpa_onnx(settings):
    """The two networks that scribed has, in float32; the setting is the threshold of its clustering."""
    import sherpa_onnx as package

    from .voices import load

    models, threads = settings["models"], settings["threads"]
    segmentation = package.OfflineSpeakerSegmentationModelConfig(
        pyannote=package.OfflineSpeakerSegmentationPyannoteModelConfig(
            model=os.path.join(models, "segmentation.onnx")
        ),
        num_threads=threads,
    )
    config = package.OfflineSpeakerDiarizationConfig(
        segmentation=segmentation,
        embedding=package.SpeakerEmbeddingExtractorConfig(
            model=os.path.join(models, "embedding.onnx"), num_threads=threads
        ),
        clustering=package.FastClusteringConfig(num_clusters=-1, threshold=float(settings["setting"] or 0.5)),
    )
    diarizer = package.OfflineSpeakerDiarization(config)

    def diarize(file):
        import pathlib

        found = diarizer.process(load(pathlib.Path(file))).sort_by_start_time()
        return [(turn.start, turn.end, str(turn.speaker)) for turn in found]

    return diarize


def main():
    settings = json.loads(sys.argv[1])
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what the packages print is no answer
    say = lambda answer: print(json.dumps(answer), file=answers, flush=True)  # noqa: E731
    try:
        diarize = {"senko": senko, "sherpa-onnx": sherpa_onnx}[settings["system"]](settings)
    except Exception as error:  # whatever keeps a package from starting is its reason to be left out
        say({"error": f"{type(error).__name__}: {error}"})
        return
    say({"version": importlib.metadata.version(settings["system"])})
    cold = True
    for line in sys.stdin:
        try:
            if cold:  # the first call also compiles and loads; it counts for nobody
                diarize(line.rstrip("\n"))
            cold = False
            wall, cpu = time.monotonic(), time.process_time()
            turns = diarize(line.rstrip("\n"))
        except Exception as error:
            say({"error": f"{type(error).__name__}: {error}"})
            continue
        say({"turns": turns, "wall_s": time.monotonic() - wall, "cpu_s": time.process_time() - cpu})


if __name__ == "__main__":
    main()
