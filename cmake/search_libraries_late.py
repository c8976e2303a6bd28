#!/usr/bin/env python3
"""Has a program look for its libraries along LD_LIBRARY_PATH first and along its own path then.

The own path of a worker for GPUs (DT_RPATH) comes before LD_LIBRARY_PATH, as it has to where its
libraries lie beside it. A worker that is shipped without them gets theirs by LD_LIBRARY_PATH, and its
own path leads to the libraries of the worker for CPUs: as DT_RUNPATH it comes later.
"""
import struct
import sys

DYNAMIC_SECTION, RPATH, RUNPATH = 6, 15, 29

with open(sys.argv[1], "r+b") as file:
    elf = file.read()
    table, = struct.unpack_from("<Q", elf, 0x28)
    size, count = struct.unpack_from("<HH", elf, 0x3A)
    for section in range(count):
        kind, = struct.unpack_from("<I", elf, table + section * size + 4)
        offset, length = struct.unpack_from("<QQ", elf, table + section * size + 24)
        if kind != DYNAMIC_SECTION:
            continue
        for at in range(offset, offset + length, 16):
            if struct.unpack_from("<q", elf, at)[0] == RPATH:
                file.seek(at)
                file.write(struct.pack("<q", RUNPATH))
