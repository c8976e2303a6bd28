#pragma once

#include <map>
#include <string>
#include <vector>

#include "platform/facts/file_reader.h"
#include "platform/facts/ld_cache.h"

namespace platform {

// Finds libraries without loading them: in the loader's order (LD_LIBRARY_PATH, the ld.so cache,
// its own folders), then where vendors put them although the loader does not look there.
class LibraryFinder {
 public:
  LibraryFinder(const FileReader& files, const std::map<std::string, std::string>& environment);

  // Returns each file once, under the first path that leads to it; grouped by name.
  std::vector<LibraryFile> find(const std::vector<std::string>& sonames) const;

 private:
  void add(const std::string& soname, const std::string& path,
           std::vector<LibraryFile>& found) const;

  const FileReader& files_;
  std::vector<std::string> first_folders_{};  // the folders of LD_LIBRARY_PATH
  std::vector<CachedLibrary> cache_{};
  std::vector<std::string> last_folders_{};
};

// Returns "550.54.14" for "libcuda.so.550.54.14"; empty if the name has nothing after ".so." or
// is the soname itself.
std::string library_version(const std::string& target, const std::string& soname);

}  // namespace platform
