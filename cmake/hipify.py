#!/usr/bin/env python3
"""Translates CUDA into HIP with libtorch's own tables.

  hipify.py TORCH OUTPUT SOURCE…    engine/torch/device_name_cuda.cpp becomes OUTPUT/device_name_hip.cpp and so on
  hipify.py TORCH OUTPUT --headers  libtorch's headers for CUDA become OUTPUT/c10/hip and OUTPUT/ATen/hip

TORCH is the folder of a Python package of torch, of which utils/hipify is used, without importing
the rest.
"""
import importlib
import pathlib
import shutil
import sys
import tempfile
import types


def load_hipify(torch):
    package = types.ModuleType("hipify")
    package.__path__ = [str(torch / "utils/hipify")]
    sys.modules["hipify"] = package
    return importlib.import_module("hipify.hipify_python")


def translate_sources(hipify, before, after, output, sources):
    for source in sources:
        shutil.copy(source, before)
    hipify.hipify(project_directory=str(before), output_directory=str(after),
                  includes=[str(before / "*")], is_pytorch_extension=True)
    for source in sources:
        name = source.name.replace("cuda", "hip")
        made = after / name
        if not made.is_file():
            sys.exit(f"{source.name} could not be translated")
        shutil.copy(made, output / name)


def translate_headers(hipify, before, after, output, torch):
    for folder in ("c10/cuda", "ATen/cuda"):
        shutil.copytree(torch / "include" / folder, before / folder)
    hipify.hipify(project_directory=str(before), output_directory=str(after), includes=["*"],
                  extensions=(".h", ".cuh"))
    for folder in ("c10/hip", "ATen/hip"):
        shutil.copytree(after / folder, output / folder, dirs_exist_ok=True)


def main():
    torch, output, *sources = (pathlib.Path(argument) for argument in sys.argv[1:])
    hipify = load_hipify(torch)
    output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        before, after = pathlib.Path(folder, "before"), pathlib.Path(folder, "after")
        before.mkdir()
        if sources == [pathlib.Path("--headers")]:
            translate_headers(hipify, before, after, output, torch)
        else:
            translate_sources(hipify, before, after, output, sources)


if __name__ == "__main__":
    main()
