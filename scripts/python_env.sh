# Scripts that run Python packages source this file: it makes environments in .deps/evaluate from
# pinned lists.
home=$deps/evaluate

# make_env NAME makes a virtual environment, and sets $python to its interpreter.
make_env() {
  python=$home/$1/bin/python
  [ ! -x "$python" ] || return 0
  mkdir -p "$home"
  python3 -m venv "$home/$1" || die "python3 cannot make a virtual environment" \
    "Install the Debian package python3-venv."
}

# install_list LIST installs the packages of tools/requirements-LIST.txt into the environment made
# last, again only when the list has changed.
install_list() {
  local list=$root/tools/requirements-$1.txt stamp=$home/$1.installed
  cmp -s "$list" "$stamp" && return
  say "installing the packages of tools/requirements-$1.txt into .deps/evaluate"
  "$python" -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation \
    --require-hashes -r "$list" >&2 || die "the packages could not be installed" \
    "Check the network, and pip's own settings (PIP_INDEX_URL, PIP_PROXY) where a mirror or proxy is needed."
  cp "$list" "$stamp"
}
