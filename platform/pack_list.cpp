#include "platform/pack_list.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

namespace platform {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::uintmax_t max_list_bytes = 1 << 20;

// Returns whether a file can be made below a folder under this path, and nowhere else.
bool stays_inside(const std::string& text) {
  const fs::path path(text);
  if (path.empty() || path.is_absolute() || !path.has_filename()) return false;
  return std::ranges::none_of(path,
                              [](const fs::path& part) { return part == ".." || part == "."; });
}

bool is_plain_name(const std::string& text) {
  return !text.empty() && text.front() != '.' && text.find('/') == text.npos;
}

// Throws json::exception where a field is missing or of another type.
PackPackage read_package(const json& from) {
  PackPackage package{.name = from.at("name"),
                      .version = from.at("version"),
                      .wheel = from.at("wheel"),
                      .size = from.at("size"),
                      .sha256 = from.at("sha256")};
  for (const auto& file : from.at("files")) {
    package.files.push_back({.path = file.at("path"), .size = file.at("size")});
  }
  return package;
}

bool is_sound(const PackList& list) {
  return is_plain_name(list.name) &&
         std::ranges::all_of(list.packages, [](const PackPackage& package) {
           return is_plain_name(package.wheel) && is_plain_name(package.name) &&
                  std::ranges::all_of(package.files,
                                      [](const PackFile& file) { return stays_inside(file.path); });
         });
}

}  // namespace

std::optional<PackList> read_pack_list(const fs::path& file) {
  std::error_code error;
  if (const auto size = fs::file_size(file, error); error || size > max_list_bytes) return {};
  std::ifstream stream(file);
  const json from = json::parse(stream, nullptr, /*allow_exceptions=*/false);
  try {
    PackList list{.name = from.at("name")};
    for (const auto& package : from.at("packages")) list.packages.push_back(read_package(package));
    if (is_sound(list)) return list;
  } catch (const json::exception&) {
    // A list that cannot be read counts as none.
  }
  return {};
}

std::string pack_list_text(const PackList& list) {
  auto packages = nlohmann::ordered_json::array();
  for (const auto& package : list.packages) {
    auto files = nlohmann::ordered_json::array();
    for (const auto& file : package.files) {
      files.push_back(nlohmann::ordered_json{{"path", file.path}, {"size", file.size}});
    }
    packages.push_back(nlohmann::ordered_json{{"name", package.name},
                                              {"version", package.version},
                                              {"wheel", package.wheel},
                                              {"size", package.size},
                                              {"sha256", package.sha256},
                                              {"files", std::move(files)}});
  }
  const nlohmann::ordered_json whole{{"name", list.name}, {"packages", std::move(packages)}};
  return whole.dump(1) + "\n";
}

std::string library_path(const PackList& wanted, const fs::path& folder) {
  const auto fetched = read_pack_list(folder / fetched_list_file);
  if (!fetched || *fetched != wanted) return "";
  std::vector<std::string> folders;
  for (const auto& package : wanted.packages) {
    for (const auto& file : package.files) {
      const fs::path path = folder / file.path;
      if (path.filename().string().find(".so") == std::string::npos) continue;
      if (std::ranges::find(folders, path.parent_path().string()) == folders.end()) {
        folders.push_back(path.parent_path().string());
      }
    }
  }
  std::string joined;
  for (const auto& one : folders) joined += (joined.empty() ? "" : ":") + one;
  return joined;
}

std::string first_damage(const PackList& list, const fs::path& folder) {
  for (const auto& package : list.packages) {
    for (const auto& file : package.files) {
      std::error_code error;
      const auto size = fs::file_size(folder / file.path, error);
      if (error) return (folder / file.path).string() + ": " + error.message();
      if (size != file.size) {
        return (folder / file.path).string() + " has " + std::to_string(size) +
               " bytes instead of " + std::to_string(file.size);
      }
    }
  }
  return "";
}

}  // namespace platform
