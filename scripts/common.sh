# The other scripts source this file for paths and messages.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
deps=$root/.deps
jobs=${SCRIBED_JOBS:-$(nproc)}

say() { printf '==> %s\n' "$*" >&2; }
die() {
  printf 'error: %s\n' "$1" >&2
  shift
  for line in "$@"; do printf '       %s\n' "$line" >&2; done
  exit 1
}

# Prints the comment at the head of the script that runs, and ends, if its first argument asks for help.
help_of() {  # "$@" of the script
  case ${1:-} in -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit 0 ;; esac
}

# Runs the system's interpreter, which has the packages that setup installs; another one on the PATH
# may not.
python() { if [ -x /usr/bin/python3 ]; then /usr/bin/python3 "$@"; else python3 "$@"; fi; }

# Says whether this machine can build for arm64 and run it, as the preset arm64 does.
can_build_arm64() {
  [ "$(uname -m)" = x86_64 ] && command -v aarch64-linux-gnu-g++ >/dev/null &&
    command -v qemu-aarch64 >/dev/null && command -v apt-get >/dev/null
}

# Installs what building needs, where it is missing.
set_up() {
  { [ -n "${LIBTORCH:-}" ] || cmp -s "$root/scripts/requirements/torch.txt" "$deps/torch/.installed"; } &&
    { [ "${SCRIBED_WEB:-}" = OFF ] || cmp -s "$root/web/package-lock.json" "$root/web/node_modules/.installed"; } ||
    "$root/scripts/setup"
}

# Reads what ninja says, and shows on a terminal how many of its steps are done.
show_steps() {
  local line
  while IFS= read -r line; do
    if [ -t 2 ] && [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]]; then
      printf '\r    %s of %s steps' "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" >&2
    fi
  done
  [ ! -t 2 ] || printf '\r\033[K' >&2
}

# build PRESET [TARGET…] configures when needed and builds; while all goes well it says no more than
# how far it is.
build() {
  local preset=$1 log
  shift
  log=$root/build/$preset.log
  mkdir -p "$root/build"
  if [ ! -f "$root/build/$preset/build.ninja" ]; then
    say "configuring build/$preset"
    (cd "$root" && cmake --preset "$preset") >"$log" 2>&1 ||
      { tail -n 30 "$log" >&2; die "CMake could not configure (build/$preset.log has all of it)"; }
  fi
  if [ "$(ninja -C "$root/build/$preset" -n "$@" | tail -n 1)" != "ninja: no work to do." ]; then
    say "building build/$preset with $jobs jobs (minutes at the first time)"
    ninja -C "$root/build/$preset" -j "$jobs" "$@" 2>&1 | tee "$log" | show_steps ||
      { sed -n '/^FAILED/,$p' "$log" | cut -c -300 | head -n 40 >&2; die "the build failed (build/$preset.log has all of it)"; }
  fi
}
