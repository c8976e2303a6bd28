#include "platform/facts/libraries.h"

#include <algorithm>

#include "platform/facts/text.h"

namespace platform {
namespace {

constexpr std::size_t most_cache_bytes = std::size_t{16} << 20;

// Returns the loader's own folders, then those of Windows's driver under WSL, Debian's
// alternatives, NixOS, containers and ROCm.
std::vector<std::string> usual_folders(const FileReader& files) {
  std::vector<std::string> folders{"/lib/x86_64-linux-gnu",
                                   "/usr/lib/x86_64-linux-gnu",
                                   "/lib/aarch64-linux-gnu",
                                   "/usr/lib/aarch64-linux-gnu",
                                   "/lib64",
                                   "/usr/lib64",
                                   "/lib",
                                   "/usr/lib",
                                   "/usr/lib/wsl/lib",
                                   "/usr/lib/x86_64-linux-gnu/nvidia/current",
                                   "/run/opengl-driver/lib",
                                   "/usr/local/nvidia/lib64",
                                   "/opt/rocm/lib",
                                   "/opt/rocm/lib64"};
  for (const auto& name : files.names("/opt")) {
    if (name.starts_with("rocm-")) folders.push_back("/opt/" + name + "/lib");
  }
  return folders;
}

// Returns the absolute folders of LD_LIBRARY_PATH: a relative one would depend on where a program
// is started.
std::vector<std::string> library_path(const std::map<std::string, std::string>& environment) {
  std::vector<std::string> folders;
  const auto variable = environment.find("LD_LIBRARY_PATH");
  if (variable == environment.end()) return folders;
  std::string text = variable->second;
  std::replace(text.begin(), text.end(), ';', ':');
  for (const auto part : split(text, ':')) {
    if (part.starts_with('/')) folders.emplace_back(part);
  }
  return folders;
}

std::vector<std::string> existing(const FileReader& files, std::vector<std::string> folders) {
  std::erase_if(folders, [&](const std::string& folder) { return !files.exists(folder); });
  return folders;
}

}  // namespace

std::string library_version(const std::string& target, const std::string& soname) {
  constexpr std::string_view mark = ".so.";
  const auto name = target.substr(target.rfind('/') + 1);
  const auto at = name.find(mark);
  return at == name.npos || name == soname ? "" : name.substr(at + mark.size());
}

LibraryFinder::LibraryFinder(const FileReader& files,
                             const std::map<std::string, std::string>& environment)
    : files_(files),
      first_folders_(existing(files, library_path(environment))),
      cache_(parse_ld_cache(files.text("/etc/ld.so.cache", most_cache_bytes).value_or(""))),
      last_folders_(existing(files, usual_folders(files))) {
  std::erase_if(cache_, [](const CachedLibrary& library) { return !fits_this_program(library); });
}

std::vector<LibraryFile> LibraryFinder::find(const std::vector<std::string>& sonames) const {
  std::vector<LibraryFile> found;
  for (const auto& soname : sonames) {
    for (const auto& folder : first_folders_) add(soname, folder + "/" + soname, found);
    for (const auto& library : cache_) {
      if (library.soname == soname) add(soname, library.path, found);
    }
    for (const auto& folder : last_folders_) add(soname, folder + "/" + soname, found);
  }
  return found;
}

void LibraryFinder::add(const std::string& soname, const std::string& path,
                        std::vector<LibraryFile>& found) const {
  const auto target = files_.resolve(path);
  const bool known = std::any_of(found.begin(), found.end(), [&](const LibraryFile& file) {
    return file.soname == soname && file.target == target;
  });
  if (target.empty() || known) return;
  found.push_back({.soname = soname,
                   .path = path,
                   .target = target,
                   .version = library_version(target, soname)});
}

}  // namespace platform
