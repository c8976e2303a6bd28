#include "server/models/manifest.h"

#include <chrono>
#include <ctime>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "protocol/json_parse.h"
#include "protocol/json_text.h"

namespace server {
namespace {

using nlohmann::json;

StoreError damaged(const std::filesystem::path& file, const std::string& why) {
  return {StoreErrc::damaged, file.string() + " cannot be used: " + why,
          "Install the model again: scribed models pull " + file.parent_path().filename().string() +
              " --force"};
}

Manifest from_json(const json& document) {
  Manifest manifest;
  document.at("name").get_to(manifest.name);
  document.at("format").get_to(manifest.format);
  document.at("source").get_to(manifest.source);
  document.at("origin").get_to(manifest.origin);
  document.at("installed").get_to(manifest.installed);
  document.at("dims").get_to(manifest.dims);
  if (document.contains("languages")) document.at("languages").get_to(manifest.languages);
  for (const json& entry : document.at("files")) {
    InstalledFile file;
    entry.at("name").get_to(file.name);
    entry.at("size").get_to(file.size);
    entry.at("sha256").get_to(file.sha256);
    // A manifest may name nothing outside its folder.
    if (file.name.empty() || file.name.find('/') != std::string::npos || file.name == "..") {
      throw std::runtime_error("it names the file '" + file.name + "'");
    }
    manifest.files.push_back(std::move(file));
  }
  return manifest;
}

}  // namespace

std::uint64_t Manifest::total_size() const {
  std::uint64_t total = 0;
  for (const auto& file : files) total += file.size;
  return total;
}

std::string manifest_text(const Manifest& manifest) {
  json files = json::array();
  for (const auto& file : manifest.files) {
    files.push_back({{"name", file.name}, {"size", file.size}, {"sha256", file.sha256}});
  }
  json document = {{"version", 1},
                   {"name", manifest.name},
                   {"format", manifest.format},
                   {"source", manifest.source},
                   {"origin", manifest.origin},
                   {"installed", manifest.installed},
                   {"dims", manifest.dims},
                   {"files", files}};
  if (!manifest.languages.empty()) document["languages"] = manifest.languages;
  return protocol::json::dump(document, 2) + "\n";
}

StoreResult<Manifest> read_manifest(const std::filesystem::path& folder) {
  const auto path = folder / manifest_file;
  std::ifstream file(path, std::ios::binary);
  if (!file) return damaged(path, "it cannot be opened");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto document = protocol::json::parse_object(text);
  if (!document) return damaged(path, document.error().message);
  try {
    if (const int version = document->at("version").get<int>(); version != 1) {
      return damaged(path, "it has version " + std::to_string(version) + ", expected 1");
    }
    return from_json(*document);
  } catch (const std::exception& error) {
    return damaged(path, error.what());
  }
}

std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace server
