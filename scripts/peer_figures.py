#!/usr/bin/env python3
"""Measures CTranslate2, which faster-whisper runs on, as `scribed bench` measures scribed: one JSON object.

    python3 scripts/peer_figures.py SIZE DEVICE BATCH,BATCH… [SECONDS [COMPUTE_TYPE]]

SIZE is tiny, base, small, medium, large-v3-turbo or large-v3. Weights are random, as what they say does not matter for the
time, and made here; so nothing is fetched but the package. Needs the Python packages ctranslate2 and numpy
where PYTHONPATH finds them, and on a GPU what ctranslate2 needs there (cuBLAS and cuDNN of CUDA 12).
"""
import json
import os
import pathlib
import sys
import tempfile

import ctranslate2
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
from bench.best_time import best_seconds  # noqa: E402

# Mel bins, width, heads, layers of the encoder and of the decoder, tokens.
SIZES = {"tiny": (80, 384, 6, 4, 4, 51865), "base": (80, 512, 8, 6, 6, 51865),
         "small": (80, 768, 12, 12, 12, 51865), "medium": (80, 1024, 16, 24, 24, 51865),
         "large-v3-turbo": (128, 1280, 20, 32, 4, 51866), "large-v3": (128, 1280, 20, 32, 32, 51866)}
# Special tokens are the last ten of a vocabulary that is made up, in this order.
SPECIALS = ("<|endoftext|>", "<|startoftranscript|>", "<|notimestamps|>", "<|nospeech|>",
            "<|transcribe|>", "<|en|>")
TOKENS = 100
ENCODER_BATCHES = {"cuda": (1, 4, 16), "cpu": (1,)}
COMPUTE_TYPES = {"cuda": "float16", "cpu": "default"}


def id_of(name, vocabulary):
    return vocabulary - 10 + SPECIALS.index(name)


def fill(linear, out, inside, draw, bias=True):
    linear.weight = draw(out, inside)
    if bias:
        linear.bias = numpy.zeros(out, numpy.float16)


def fill_norm(norm, n):
    norm.gamma = numpy.ones(n, numpy.float16)
    norm.beta = numpy.zeros(n, numpy.float16)


def fill_layer(layer, n, draw, has_cross_attention):
    for linear, parts in zip(layer.self_attention.linear, (3, 1)):
        fill(linear, parts * n, n, draw)
    fill_norm(layer.self_attention.layer_norm, n)
    if has_cross_attention:
        for linear, parts in zip(layer.attention.linear, (1, 2, 1)):
            fill(linear, parts * n, n, draw)
        fill_norm(layer.attention.layer_norm, n)
    fill(layer.ffn.linear_0, 4 * n, n, draw)
    fill(layer.ffn.linear_1, n, 4 * n, draw)
    fill_norm(layer.ffn.layer_norm, n)


def make_model(size, folder):
    mels, n, heads, encoder_layers, decoder_layers, vocabulary = SIZES[size]
    generator = numpy.random.default_rng(1)

    def draw(*shape):
        return (generator.standard_normal(shape, numpy.float32) * 0.02).astype(numpy.float16)

    spec = ctranslate2.specs.WhisperSpec(encoder_layers, heads, decoder_layers, heads)
    encoder, decoder = spec.encoder, spec.decoder
    encoder.conv1.weight, encoder.conv1.bias = draw(n, mels, 3), draw(n)
    encoder.conv2.weight, encoder.conv2.bias = draw(n, n, 3), draw(n)
    encoder.position_encodings.encodings = draw(1500, n)
    fill_norm(encoder.layer_norm, n)
    for layer in encoder.layer:
        fill_layer(layer, n, draw, has_cross_attention=False)
    decoder.embeddings.weight = draw(vocabulary, n)
    decoder.position_encodings.encodings = draw(448, n)
    fill(decoder.projection, vocabulary, n, draw, bias=False)
    decoder.projection.weight = decoder.embeddings.weight
    fill_norm(decoder.layer_norm, n)
    for layer in decoder.layer:
        fill_layer(layer, n, draw, has_cross_attention=True)
    names = [f"t{i}" for i in range(vocabulary)]
    for name in SPECIALS:
        names[id_of(name, vocabulary)] = name
    spec.register_vocabulary(names)
    # A text that never ends.
    spec.config.suppress_ids = [id_of("<|endoftext|>", vocabulary)]
    spec.config.suppress_ids_begin = []
    spec.config.lang_ids, spec.config.alignment_heads = [id_of("<|en|>", vocabulary)], [(0, 0)]
    spec.validate()
    spec.optimize(quantization="float16")
    spec.save(folder)
    names = ("<|startoftranscript|>", "<|en|>", "<|transcribe|>", "<|notimestamps|>")
    return mels, [id_of(name, vocabulary) for name in names]


def measure(model, mels, prompt, encoder_batches, batches, budget):
    generator = numpy.random.default_rng(2)

    def features(batch):
        sound = generator.standard_normal((batch, mels, 3000), numpy.float32)
        return ctranslate2.StorageView.from_array(numpy.ascontiguousarray(sound))

    def encode(batch):
        sound = features(batch)
        # To the CPU: otherwise nobody waits for the device.
        return best_seconds(lambda: model.encode(sound, to_cpu=True), budget)

    def token(batch):
        heard = model.encode(features(batch))

        # The library makes at most half as many tokens as it is told, and with the prompt no more.
        def decode(length):
            found = model.generate(heard, [prompt] * batch, beam_size=1,
                                   max_length=max(2 * length, len(prompt) + length),
                                   suppress_blank=False, suppress_tokens=[-1])
            return len(found[0].sequences_ids[0])

        made = decode(TOKENS) - decode(1)
        return (best_seconds(lambda: decode(TOKENS), budget)
                - best_seconds(lambda: decode(1), budget)) / made

    encoders = {batch: encode(batch) for batch in encoder_batches}
    return {"encoder": {"ms": 1e3 * encoders[1]},
            "encoder_batches": [{"batch": batch, "ms_of_a_window": 1e3 * seconds / batch}
                                for batch, seconds in encoders.items() if batch > 1],
            "steps": [{"batch": batch, "time": {"ms": 1e3 * token(batch)}} for batch in batches]}


def main():
    if len(sys.argv) < 4 or sys.argv[1] not in SIZES:
        sys.exit(__doc__)
    size, device = sys.argv[1], sys.argv[2].partition(":")
    batches = [int(batch) for batch in sys.argv[3].split(",")]
    with tempfile.TemporaryDirectory() as folder:
        mels, prompt = make_model(size, folder)
        model = ctranslate2.models.Whisper(
            folder, device=device[0], device_index=int(device[2] or 0), inter_threads=1,
            compute_type=sys.argv[5] if len(sys.argv) > 5 else COMPUTE_TYPES[device[0]])
        report = measure(model, mels, prompt, ENCODER_BATCHES[device[0]], batches,
                         float(sys.argv[4]) if len(sys.argv) > 4 else 3)
    report.update(model=size + ", faster-whisper", version=ctranslate2.__version__)
    print(json.dumps(report))
    sys.stdout.flush()
    os._exit(0)  # the library's threads take their time to end


if __name__ == "__main__":
    main()
