#include "engine/weights/mapped_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

namespace engine {
namespace {

constexpr std::size_t file_bytes = 8 << 20;

// Returns the resident memory of pages that come from files, in KiB.
int resident_file_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("RssFile:")) return std::stoi(line.substr(8));
  }
  return -1;
}

TEST(MappedFile, GivesItsPagesBackAndReadsThemAgain) {
  if (resident_file_kib() < 0) GTEST_SKIP() << "this system does not tell what is resident";
  const auto path =
      std::filesystem::temp_directory_path() / ("mapped-" + std::to_string(::getpid()));
  std::ofstream(path, std::ios::binary) << std::string(file_bytes, 'x');
  const MappedFile file(path);
  std::filesystem::remove(path);
  const auto all_x = [&] {
    return std::ranges::all_of(file.bytes(), [](std::byte b) { return b == std::byte{'x'}; });
  };
  EXPECT_TRUE(all_x());
  const int before = resident_file_kib();
  file.release_pages();
  EXPECT_LT(resident_file_kib(), before - static_cast<int>(file_bytes / 1024 / 2));
  EXPECT_TRUE(all_x());
}

}  // namespace
}  // namespace engine
