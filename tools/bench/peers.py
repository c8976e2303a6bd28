"""Who is compared in what."""

SCRIBED = "scribed:int8"

EVERYONE = [
    SCRIBED,
    "scribed:int8:parallel",
    "scribed:bfloat16",
    "scribed:float32",
    "openvino:int8:bf16",
    "openvino:int8:f32",
    "faster-whisper:int8",
    "faster-whisper:int8:batched",
    "faster-whisper:float32",
    "whisper.cpp:f16",
    "whisper.cpp:q8_0",
    "crispasr:q8_0",
    "openai:float32",
]
ENGINES = {
    "long": EVERYONE,
    # A clip is one window: what cuts recordings has nothing to do there.
    "clips": [e for e in EVERYONE if not e.endswith((":parallel", ":batched"))],
    "clients": [SCRIBED, "openvino:int8:bf16", "faster-whisper:int8"],
    "words": [SCRIBED, "scribed:int8:parallel", "faster-whisper:int8"],
    "start": [SCRIBED, "scribed:bfloat16"],
    "sizes": [SCRIBED, "openvino:int8:bf16", "openvino:int8:f32", "faster-whisper:int8"],
}
KNOWN = sorted({spec for specs in ENGINES.values() for spec in specs})
# The quickest on a CPU, which the others are measured against where it took part.
BASELINE = "openvino:int8:bf16"

# These engines cannot run at these levels: OpenVINO lays 8-bit weights out for the AVX-512 that it sees,
# and then may not use the instructions for them.
UNABLE = {"avx2": ["openvino:int8:bf16", "openvino:int8:f32"]}


def taking_part(work, asked, level):
    """Returns the engines of a work, or those of them that were asked for, which can run at the level."""
    unable = UNABLE.get(level, [])
    return [e for e in ENGINES[work] if (not asked or e in asked) and e not in unable]
