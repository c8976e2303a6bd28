#!/usr/bin/env python3
"""Prints the architectures that a CUDA library has kernels for, as two fields of build-info.json.

    "arch_list": ["7.5", "8.0"], "ptx_list": []

With --machine-code it prints the first list alone, as CMake writes lists: 7.5;8.0

The kernels lie in the section .nv_fatbin of the ELF file: containers, each with one entry for each
architecture. An entry is machine code (SASS), for that architecture and those of the same major
number that come later, or PTX, which a driver may compile for any later one. A few sources are
compiled for more architectures than the rest of a library; those are not ones the whole runs on, so
only what most containers have counts.
"""
import collections
import mmap
import struct
import sys

CONTAINER_MAGIC = 0xBA55ED50
PTX, SASS = 1, 2


def find_section(elf, wanted):
    """Where the section lies in the file, as (offset, size)."""
    (table,) = struct.unpack_from("<Q", elf, 0x28)
    size, count, names_index = struct.unpack_from("<HHH", elf, 0x3A)

    def section(index):
        name, _, _, _, offset, length = struct.unpack_from("<IIQQQQ", elf, table + index * size)
        return name, offset, length

    names = section(names_index)[1]
    for index in range(count):
        name, offset, length = section(index)
        if elf[names + name:elf.find(b"\0", names + name)] == wanted:
            return offset, length
    sys.exit(f"no section {wanted.decode()}: this is not a library with CUDA kernels")


def containers(elf, offset, size):
    """The (kind, architecture) pairs of each container; they are aligned to 8 bytes."""
    end = offset + size
    while offset + 16 <= end:
        magic, _, header, length = struct.unpack_from("<IHHQ", elf, offset)
        if magic != CONTAINER_MAGIC:
            offset += 8
            continue
        entry, stop, found = offset + header, offset + header + length, set()
        while entry < stop:
            kind, _, header, payload = struct.unpack_from("<HHIQ", elf, entry)
            found.add((kind, struct.unpack_from("<I", elf, entry + 28)[0]))
            entry += header + payload
        yield found
        offset = stop


def main():
    with open(sys.argv[-1], "rb") as file:
        elf = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    counts = collections.Counter(
        pair for found in containers(elf, *find_section(elf, b".nv_fatbin")) for pair in found)
    most = max(counts.values(), default=0)
    lists = {kind: sorted(arch for (k, arch), n in counts.items() if k == kind and 2 * n > most)
             for kind in (SASS, PTX)}
    if not lists[SASS]:
        sys.exit("no kernels were found")

    if sys.argv[1] == "--machine-code":
        print(";".join(f"{arch // 10}.{arch % 10}" for arch in lists[SASS]))
        return

    def text(archs):
        return "[" + ", ".join(f'"{arch // 10}.{arch % 10}"' for arch in archs) + "]"

    print(f'"arch_list": {text(lists[SASS])},\n  "ptx_list": {text(lists[PTX])}')


if __name__ == "__main__":
    main()
