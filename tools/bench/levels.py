"""Levels of instructions that engines are held to, as on a CPU that has no more than these.

Each library asks for its own variable: scribed, CTranslate2 (faster-whisper), oneDNN (OpenVINO,
torch), torch, MKL, whose E1 is VNNI and E2 bfloat16 too. whisper.cpp has none: its wheel uses what
it was compiled for. OpenVINO heeds oneDNN's in its products alone.
"""

VARIABLES = ("SCRIBED_CPU", "CT2_FORCE_CPU_ISA", "ONEDNN_MAX_CPU_ISA", "ATEN_CPU_CAPABILITY",
             "MKL_ENABLE_INSTRUCTIONS")
LEVELS = {
    "avx2": ("avx2", "AVX2", "AVX2", "avx2", "AVX2"),
    "avx_vnni": ("avx_vnni", "AVX2", "AVX2_VNNI", "avx2", "AVX2_E1"),
    "avx512": ("avx512", "AVX512", "AVX512_CORE", "avx512", "AVX512"),
    "avx512_vnni": ("avx512_vnni", "AVX512", "AVX512_CORE_VNNI", "avx512", "AVX512_E1"),
    "avx512_bf16": ("avx512_bf16", "AVX512", "AVX512_CORE_BF16", "avx512", "AVX512_E2"),
}


def variables(level):
    """What an engine's environment has to say for it."""
    return dict(zip(VARIABLES, LEVELS[level]))
