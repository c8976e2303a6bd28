#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/facts/facts.h"

namespace platform {

// Reads small files of one machine, addressed as that machine names them ("/proc/meminfo") under a
// root. Links are followed inside the root: an absolute one in a copied tree stays in the copy.
// Nothing here throws; a file that cannot be read counts as missing.
class FileReader {
 public:
  explicit FileReader(const std::filesystem::path& root);

  bool this_machine() const { return root_.empty(); }  // the root is "/"

  bool exists(const std::string& path) const { return !resolve(path).empty(); }
  // Returns the path without any links, as the machine names it; empty if there is no file.
  std::string resolve(const std::string& path) const;

  // Returns the first `limit` bytes of a file.
  std::optional<std::string> text(const std::string& path, std::size_t limit = 1 << 20) const;
  // Returns the content of a file of one line, without blanks around it; empty if there is none.
  std::string word(const std::string& path) const;
  std::optional<std::int64_t> number(const std::string& path) const;

  // Calls `take` with each line until it returns false. The file is never held whole; lines are cut
  // at 4 KiB.
  void lines(const std::string& path, const std::function<bool(std::string_view)>& take) const;

  // Returns the names in a folder, sorted; numbers in them by value: card2 before card10.
  std::vector<std::string> names(const std::string& folder) const;

  // Returns whether a device can be opened for reading and writing, found by opening it.
  DeviceNode open_node(const std::string& path) const;
  // Finds the same by the permissions alone, for devices that opening would wake.
  DeviceNode permitted_node(const std::string& path) const;

 private:
  std::string real(const std::string& resolved) const { return root_ + resolved; }

  std::string root_{};  // has no slash at its end
};

}  // namespace platform
