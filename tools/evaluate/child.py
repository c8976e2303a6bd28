"""One engine in a process of its own, so that its memory is its own.

  python -m evaluate.child '{"engine": "openai", "model": FILE, ...}'

Writes {"load_s": …} when the model is ready; then for every line of standard input, a file's path,
one line {"text": …, "language": …, "seconds": …} or {"error": …}.
"""

import json
import os
import sys
import time


def openai(settings):
    import torch
    import whisper

    torch.set_num_threads(settings["threads"])
    model = whisper.load_model(settings["model"], device="cpu")

    def transcribe(file):
        result = model.transcribe(
            file,
            language=settings["language"],
            beam_size=settings["beam_size"] if settings["beam_size"] > 1 else None,
            best_of=5,
            temperature=tuple(settings["temperatures"]),
            word_timestamps=settings["word_timestamps"],
            fp16=False,
        )
        return result["text"], result["language"]

    return transcribe


def faster_whisper(settings):
    from faster_whisper import BatchedInferencePipeline, WhisperModel

    model = WhisperModel(
        settings["model"],
        device="cpu",
        compute_type=settings["compute_type"] or "default",
        cpu_threads=settings["threads"],
    )
    batched = {}
    if settings["mode"] == "batched":
        model, batched = BatchedInferencePipeline(model), {"batch_size": 8}

    def transcribe(file):
        segments, info = model.transcribe(
            file,
            language=settings["language"],
            beam_size=settings["beam_size"] or 1,
            temperature=settings["temperatures"],
            word_timestamps=settings["word_timestamps"],
            **batched,
        )
        return "".join(s.text for s in segments), info.language

    return transcribe


def whisper_cpp(settings):
    from faster_whisper.audio import decode_audio
    from pywhispercpp.model import Model

    beam = settings["beam_size"] > 1
    temperatures = settings["temperatures"]
    model = Model(
        settings["model"],
        params_sampling_strategy=1 if beam else 0,
        redirect_whispercpp_logs_to=None,
        n_threads=settings["threads"],
        language=settings["language"] or "",
        temperature_inc=temperatures[1] - temperatures[0] if len(temperatures) > 1 else 0.0,
        print_progress=False,
        print_timestamps=False,
        **({"beam_search": {"beam_size": settings["beam_size"], "patience": -1.0}} if beam else {}),
    )

    def transcribe(file):
        segments = model.transcribe(decode_audio(file, sampling_rate=16000))
        return " ".join(s.text.strip() for s in segments), settings["language"] or "?"

    return transcribe


def crispasr(settings):
    import crispasr as library
    from faster_whisper.audio import decode_audio

    session = library.Session(
        settings["model"], n_threads=settings["threads"], backend="whisper", use_gpu=False
    )
    temperatures = settings["temperatures"]
    step = temperatures[1] - temperatures[0] if len(temperatures) > 1 else 0.0
    # The first three are the library's own thresholds; they change nothing while the step is 0.
    session.set_fallback_thresholds(2.4, -1.0, 0.6, step)
    if settings["beam_size"] > 1:
        session.set_beam_size(settings["beam_size"])

    def transcribe(file):
        audio = decode_audio(file, sampling_rate=16000)
        segments = session.transcribe(audio, language=settings["language"])
        return " ".join(s.text.strip() for s in segments), settings["language"] or "?"

    return transcribe


def openvino(settings):
    import openvino_genai
    from faster_whisper.audio import decode_audio

    words = {"word_timestamps": True} if settings["word_timestamps"] else {}
    pipeline = openvino_genai.WhisperPipeline(
        settings["model"],
        "CPU",
        INFERENCE_NUM_THREADS=settings["threads"],
        INFERENCE_PRECISION_HINT=settings["mode"] or "bf16",
        **words,
    )
    options = {"task": "transcribe", "return_timestamps": True, "max_new_tokens": 448} | words
    if settings["language"]:
        options["language"] = f"<|{settings['language']}|>"
    if settings["beam_size"] > 1:
        options["num_beams"] = settings["beam_size"]

    def transcribe(file):
        result = pipeline.generate(decode_audio(file, sampling_rate=16000).tolist(), **options)
        return str(result), settings["language"] or "?"

    return transcribe


ENGINES = {
    "openai": openai,
    "faster-whisper": faster_whisper,
    "whisper.cpp": whisper_cpp,
    "crispasr": crispasr,
    "openvino": openvino,
}


def main():
    settings = json.loads(sys.argv[1])
    # Libraries may print; the answers keep the real standard output to themselves.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def answer(**fields):
        answers.write(json.dumps(fields, ensure_ascii=False) + "\n")
        answers.flush()

    began = time.monotonic()
    transcribe = ENGINES[settings["engine"]](settings)
    answer(load_s=time.monotonic() - began)
    for line in sys.stdin:
        began = time.monotonic()
        try:
            text, language = transcribe(line.rstrip("\n"))
            answer(text=text, language=language, seconds=time.monotonic() - began)
        except Exception as error:  # whatever a library throws is this one file's result
            answer(error=f"{type(error).__name__}: {error}")


if __name__ == "__main__":
    main()
