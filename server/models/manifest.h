#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/recognizer/inspection.h"
#include "server/models/error.h"

namespace server {

struct InstalledFile {
  std::string name;
  std::uint64_t size = 0;
  std::string sha256;

  friend bool operator==(const InstalledFile&, const InstalledFile&) = default;
};

// The content of model.json in a model's folder. It is written last, so a folder that has one was
// complete when it was installed.
struct Manifest {
  std::string name;
  std::string format;     // "ctranslate2", "safetensors", "pytorch", "ggml"
  std::string source;     // "hub", "package", "openai", "import"
  std::string origin;     // repository and commit, packages, address or path
  std::string installed;  // UTC, "2026-01-31T12:00:00Z"
  engine::Dims dims;      // empty for a model that does not transcribe
  std::vector<InstalledFile> files;
  // Codes in the order of the model's tokens. Manifests of 0.1.0 have none, nor have models that do
  // not transcribe: languages_of has an answer for all.
  std::vector<std::string> languages{};

  std::uint64_t total_size() const;
};

inline constexpr char manifest_file[] = "model.json";

std::string manifest_text(const Manifest& manifest);
StoreResult<Manifest> read_manifest(const std::filesystem::path& folder);

// Returns the current time in the form that a manifest has.
std::string utc_now();

}  // namespace server
