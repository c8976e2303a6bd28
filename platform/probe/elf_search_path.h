#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace platform {

// The folders that an ELF file names for the libraries it needs, $ORIGIN replaced by its folder.
// The loader searches rpath before LD_LIBRARY_PATH and runpath after it; a file with a runpath has
// its rpath ignored, so at most one list is filled.
struct ElfSearchPath {
  std::vector<std::filesystem::path> rpath{};
  std::vector<std::filesystem::path> runpath{};
};

// Reads the folders; both are empty for a file that is missing, damaged, or no 64-bit ELF file of
// this machine's byte order.
ElfSearchPath read_elf_search_path(const std::filesystem::path& file);

// Splits "a:b" into folders; empty parts are left out.
std::vector<std::filesystem::path> split_search_path(std::string_view text);

}  // namespace platform
