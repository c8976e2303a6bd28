#!/usr/bin/env python3
"""Translates CUDA sources into HIP ones with libtorch's own tables: hipify.py TORCH OUTPUT SOURCE…

TORCH is the folder of a Python package of torch, of which utils/hipify is used, without importing
the rest. engine/torch/device_name_cuda.cpp becomes OUTPUT/device_name_hip.cpp and so on.
"""
import importlib
import pathlib
import shutil
import sys
import tempfile
import types


def main():
    torch, output, *sources = (pathlib.Path(argument) for argument in sys.argv[1:])
    package = types.ModuleType("hipify")
    package.__path__ = [str(torch / "utils/hipify")]
    sys.modules["hipify"] = package
    hipify_python = importlib.import_module("hipify.hipify_python")
    output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        before, after = pathlib.Path(folder, "before"), pathlib.Path(folder, "after")
        before.mkdir()
        for source in sources:
            shutil.copy(source, before)
        hipify_python.hipify(project_directory=str(before), output_directory=str(after),
                             includes=[str(before / "*")], is_pytorch_extension=True)
        for source in sources:
            name = source.name.replace("cuda", "hip")
            made = after / name
            if not made.is_file():
                sys.exit(f"{source.name} could not be translated")
            shutil.copy(made, output / name)


if __name__ == "__main__":
    main()
