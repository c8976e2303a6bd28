"""The machine that figures were taken on."""

import os
import pathlib
import platform

FLAGS = ["avx2", "avx_vnni", "avx512f", "avx512_vnni", "avx512_bf16", "amx_tile", "amx_int8", "asimd",
         "asimddp", "i8mm", "bf16"]


def describe():
    lines = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    fields = dict(map(str.strip, line.split(":", 1)) for line in lines if ":" in line)
    has = set(fields.get("flags", fields.get("Features", "")).split())
    return {
        "cpu": fields.get("model name", platform.machine()),
        "cores": os.cpu_count(),
        "isa": [flag for flag in FLAGS if flag in has],
        "load_before": round(os.getloadavg()[0], 2),  # above 0.5: something else was running
    }
