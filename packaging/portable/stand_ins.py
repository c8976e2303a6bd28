"""Stand-ins for libraries that programs are linked with and never use on a CPU.

libtorch_cpu.so of PyTorch's common build names NVIDIA's runtime and profiler, whose terms would bind
the whole archive, and ICU names 31 MB of tables for collation, calendars and converters, while the
properties of characters, which is all that scribed asks for, are compiled into ICU itself. A library
that has the names and does nothing is enough for the loader."""
import re
import subprocess

from elf import Elf

# The answers of both libraries to a call are numbers, 0 for success; this one is a refusal in both.
REFUSAL = 100


def source_of(functions, data):
    lines = [f"int {name}(void) {{ return {REFUSAL}; }}" for name in functions
             if not name.endswith("ErrorString")]
    lines += [f'const char* {name}(void) {{ return "not in this build"; }}' for name in functions
              if name.endswith("ErrorString")]
    lines += [f"const long long {name}[8] = {{0}};" for name in data]
    return "\n".join(lines) + "\n"


def compile_library(folder, soname, version, functions, data=()):
    folder.mkdir(parents=True, exist_ok=True)
    script = folder / f"{soname}.version"
    names = "; ".join([*functions, *data])
    script.write_text(f"{version} {{ global: {names}; local: *; }};\n" if version else
                      f"{{ global: {names}; local: *; }};\n")
    subprocess.run(["gcc", "-x", "c", "-", "-shared", "-fPIC", "-nostdlib", "-O2", "-s",
                    f"-Wl,-soname,{soname}", f"-Wl,--version-script={script}", "-Wl,--build-id=none",
                    "-o", str(folder / soname)],
                   input=source_of(functions, data), check=True, text=True)
    script.unlink()


def undefined(library, version):
    """Names that a library asks of the one that has this version."""
    listed = subprocess.run(["nm", "-D", "--undefined-only", str(library)], check=True,
                            capture_output=True, text=True)
    return sorted(re.findall(rf" U (\w+)@{re.escape(version)}$", listed.stdout, re.M))


def write(folder, libtorch, icu):
    """Writes the stand-ins for what these two libraries need, and returns their names."""
    made = []
    for soname in Elf(libtorch).needed:
        if re.match(r"libcu(dart|pti)\.so", soname):
            compile_library(folder, soname, soname, undefined(libtorch, soname))
            made.append(soname)
    for soname in Elf(icu).needed:
        if number := re.fullmatch(r"libicudata\.so\.(\d+)", soname):
            compile_library(folder, soname, None, [], [f"icudt{number[1]}_dat"])
            made.append(soname)
    return made
