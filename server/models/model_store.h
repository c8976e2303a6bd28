#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "server/models/error.h"
#include "server/models/manifest.h"
#include "server/models/observer.h"

namespace server {

// A model that can be given to a worker: a folder or a file that the engine reads.
struct ModelLocation {
  std::string name;
  std::filesystem::path path;
};

struct InstalledModel {
  Manifest manifest;
  std::filesystem::path folder;
};

// The models on this machine. Stateless: every call reads the disk, so a model that another process
// installed or removed is seen at once. It may be used on any thread.
class ModelStore {
 public:
  explicit ModelStore(std::filesystem::path root) : root_(std::move(root)) {}

  const std::filesystem::path& root() const { return root_; }

  // Lists the models that transcribe, in order of name. A folder whose model.json cannot be read is
  // in `broken`.
  struct Listing {
    std::vector<InstalledModel> models;
    std::vector<StoreError> broken;
  };
  Listing list() const;

  // Finds an installed model by name or alias; its files are not looked at.
  StoreResult<InstalledModel> find(std::string_view name_or_alias) const;

  // Does the same, and checks that the files have the sizes they were installed with. verify()
  // checks more.
  StoreResult<InstalledModel> find_whole(std::string_view name_or_alias) const;

  // Finds what a user names as a model to transcribe with: an installed name, or the path of a file
  // or folder. An installed model is checked as find_whole() does.
  StoreResult<ModelLocation> resolve(std::string_view name_or_path) const;

  // Hashes every file. The error names the first that is damaged.
  StoreResult<void> verify(const InstalledModel& model, const Observer& observer = {}) const;

  // Removes an installed model, also a damaged one, and what is left of unfinished pulls of it.
  StoreResult<void> remove(std::string_view name_or_alias) const;

 private:
  StoreResult<void> check_sizes(const InstalledModel& model) const;
  StoreError missing(std::string_view name) const;

  std::filesystem::path root_;
};

// Returns whether a name can be a folder of the store: letters, digits and "._-", not first a dot.
bool is_store_name(std::string_view name);

}  // namespace server
