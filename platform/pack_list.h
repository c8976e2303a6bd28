#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

// The libraries of a runtime pack whose worker is shipped without them. packages.json beside the
// worker lists the Python packages that carry them, and the files that are taken out of each. A
// folder with these files has the list as pack.json, which was written last.
namespace platform {

inline constexpr char pack_list_file[] = "packages.json";
inline constexpr char fetched_list_file[] = "pack.json";

struct PackFile {
  std::string path{};  // inside of the wheel, and of the pack's folder
  std::uint64_t size = 0;

  friend bool operator==(const PackFile&, const PackFile&) = default;
};

struct PackPackage {
  std::string name{};  // "nvidia-cublas"
  std::string version{};
  std::string wheel{};  // the file's name in an index of packages
  std::uint64_t size = 0;
  std::string sha256{};
  std::vector<PackFile> files{};

  friend bool operator==(const PackPackage&, const PackPackage&) = default;
};

struct PackList {
  std::string name{};  // for people and for the folder: "cuda"
  std::vector<PackPackage> packages{};

  friend bool operator==(const PackList&, const PackList&) = default;
};

// Reads a list; empty where the file is missing, damaged, or names a path that leads outside of the
// pack's folder.
std::optional<PackList> read_pack_list(const std::filesystem::path& file);

std::string pack_list_text(const PackList& list);

// Returns the folders of the libraries below `folder`, joined by colons; empty unless exactly the
// wanted ones were fetched there. The files themselves are not looked at.
std::string library_path(const PackList& wanted, const std::filesystem::path& folder);

// Returns a sentence about the first file below `folder` that is missing or has another size; empty
// if there is none.
std::string first_damage(const PackList& list, const std::filesystem::path& folder);

}  // namespace platform
