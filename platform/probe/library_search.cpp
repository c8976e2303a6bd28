#include "platform/probe/library_search.h"

#include <cstdlib>

#include "platform/probe/elf_search_path.h"

namespace platform {
namespace {

namespace fs = std::filesystem;
using Folders = std::vector<fs::path>;

void append(Folders& folders, const Folders& more) {
  folders.insert(folders.end(), more.begin(), more.end());
}

Folders library_path_variable() {
  const char* value = std::getenv("LD_LIBRARY_PATH");
  return split_search_path(value != nullptr ? value : "");
}

// Returns the folders in the loader's order for a library that `own` needs and `parent` has loaded:
// a runpath hides every rpath, also the parent's.
Folders in_order(const ElfSearchPath& own, const ElfSearchPath& parent) {
  Folders folders = own.rpath;
  if (own.runpath.empty()) append(folders, parent.rpath);
  append(folders, library_path_variable());
  append(folders, own.runpath);
  return folders;
}

std::optional<fs::path> find_in(const Folders& folders, const std::string& name) {
  for (const auto& folder : folders) {
    std::error_code ignored;
    if (!fs::is_regular_file(folder / name, ignored)) continue;
    return fs::canonical(folder, ignored) / name;  // removes the ".." that come from $ORIGIN
  }
  return {};
}

}  // namespace

LibrarySearch::LibrarySearch(const fs::path& pack, const std::string& torch_library) {
  // A program's $ORIGIN is its real folder; a library's is the folder it was found in.
  std::error_code ignored;
  const auto worker = read_elf_search_path(fs::canonical(pack / "scribed-worker", ignored));
  folders_ = in_order(worker, {});
  if (const auto torch = find_in(folders_, torch_library)) {
    folders_ = in_order(read_elf_search_path(*torch), worker);
  }
}

LibrarySearch::LibrarySearch(const fs::path& file)
    : folders_(in_order(read_elf_search_path(file), {})) {}

std::optional<fs::path> LibrarySearch::find(const std::string& name) const {
  return find_in(folders_, name);
}

}  // namespace platform
