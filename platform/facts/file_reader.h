#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/facts/facts.h"

namespace platform {

// Small files of one machine, addressed as that machine names them ("/proc/meminfo") and read under
// a root. Links are followed inside the root: an absolute one in a copied tree stays in the copy.
// Nothing here throws; what cannot be read is not there.
class FileReader {
 public:
  explicit FileReader(const std::filesystem::path& root);

  bool this_machine() const { return root_.empty(); }  // the root is "/"

  bool exists(const std::string& path) const { return !resolve(path).empty(); }
  // The same file without any links, as the machine names it; empty where there is none.
  std::string resolve(const std::string& path) const;

  // The first `limit` bytes.
  std::optional<std::string> text(const std::string& path, std::size_t limit = 1 << 20) const;
  // What a file of one line says, without blanks around it; empty where there is none.
  std::string word(const std::string& path) const;
  std::optional<std::int64_t> number(const std::string& path) const;

  // Calls `take` with each line until it returns false. The file is never held whole; lines are cut
  // at 4 KiB.
  void lines(const std::string& path, const std::function<bool(std::string_view)>& take) const;

  // Names in a folder, sorted; numbers in them by value: card2 before card10.
  std::vector<std::string> names(const std::string& folder) const;

  // Whether a device can be opened for reading and writing, found by opening it.
  DeviceNode open_node(const std::string& path) const;
  // The same found by the permissions alone, for devices that opening would wake up.
  DeviceNode permitted_node(const std::string& path) const;

 private:
  std::string real(const std::string& resolved) const { return root_ + resolved; }

  std::string root_{};  // without a slash at its end
};

}  // namespace platform
