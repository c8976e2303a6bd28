#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "server/models/digest.h"
#include "server/models/manifest.h"
#include "server/models/model_store.h"
#include "server/models/staging.h"

namespace server::testing {

// A folder that goes away with the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "scribed-store-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    path_ = pattern;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline void write(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

// A store whose models are a manifest and a small file each; no engine could read them.
class TemporaryStore {
 public:
  TemporaryStore() : store_(folder_.path() / "models") {}

  const ModelStore& store() const { return store_; }
  const std::filesystem::path& root() const { return store_.root(); }

  StoreResult<void> install(const std::string& name, const std::string& weights) {
    const auto staged = partial_folder(root()) / name / "test";
    write(staged / "model.bin", weights);
    const auto hash = hash_file(staged / "model.bin", Digest::Kind::sha256);
    return publish(staged,
                   {name,
                    "CTranslate2",
                    "hub",
                    "somewhere@main",
                    utc_now(),
                    {},
                    {{"model.bin", weights.size(), *hash}}},
                   root());
  }

 private:
  TemporaryFolder folder_;
  ModelStore store_;
};

}  // namespace server::testing
