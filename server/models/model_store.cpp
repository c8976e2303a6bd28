#include "server/models/model_store.h"

#include <algorithm>

#include "server/models/digest.h"
#include "server/models/helper_models.h"
#include "server/models/install_lock.h"
#include "server/models/registry.h"
#include "server/models/staging.h"

namespace server {

namespace fs = std::filesystem;

namespace {

// Returns the name of the folder for what the user typed.
std::string canonical(std::string_view name) {
  const auto* registered = find_registered(name);
  return registered != nullptr ? registered->name : std::string(name);
}

std::string repair(const Manifest& manifest) {
  if (find_registered(manifest.name) != nullptr && manifest.source != "import") {
    return "Install it again: scribed models pull " + manifest.name + " --force";
  }
  return "Import it again: scribed models import PATH --name " + manifest.name + " --force";
}

StoreError no_transcriber(const RegisteredModel& helper) {
  return {StoreErrc::invalid_model, helper.name + " " + helper.purpose + "; it cannot transcribe",
          "Name a Whisper model, for instance base; `scribed models list` names all."};
}

StoreError damaged_file(const InstalledModel& model, const std::string& file,
                        const std::string& expected, const std::string& found) {
  return {StoreErrc::damaged,
          "the model " + model.manifest.name + " is damaged: " + (model.folder / file).string() +
              ": expected " + expected + ", found " + found,
          repair(model.manifest)};
}

}  // namespace

bool is_store_name(std::string_view name) {
  if (name.empty() || name.size() > 100 || name.front() == '.' || name.front() == '-') return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
  });
}

ModelStore::Listing ModelStore::list() const {
  Listing listing;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(root_, error)) {
    const std::string name = entry.path().filename().string();
    if (!entry.is_directory(error) || !is_store_name(name)) continue;
    auto manifest = read_manifest(entry.path());
    if (manifest && find_helper(manifest->name) != nullptr) continue;
    if (manifest) {
      listing.models.push_back({std::move(*manifest), entry.path()});
    } else {
      listing.broken.push_back(manifest.error());
    }
  }
  std::sort(listing.models.begin(), listing.models.end(),
            [](const auto& a, const auto& b) { return a.manifest.name < b.manifest.name; });
  return listing;
}

StoreError ModelStore::missing(std::string_view wanted) const {
  if (const auto* registered = find_registered(wanted)) {
    return {StoreErrc::not_installed, "the model " + registered->name + " is not installed",
            "Install it: scribed models pull " + registered->name};
  }
  std::vector<std::string> known;
  for (const auto& model : registered_models()) {
    known.push_back(model.name);
    known.insert(known.end(), model.aliases.begin(), model.aliases.end());
  }
  for (const auto& model : list().models) known.push_back(model.manifest.name);
  std::string hint;
  for (const auto& name : closest(wanted, known)) hint += (hint.empty() ? "" : ", ") + name;
  constexpr std::size_t shown = 100;  // bytes; a client may send any name
  const std::string name(wanted.substr(0, shown));
  return {StoreErrc::unknown_model,
          "there is no model named '" + name + (wanted.size() > shown ? "…'" : "'"),
          (hint.empty() ? "" : "Did you mean " + hint + "? ") +
              std::string("`scribed models list` names all models.")};
}

StoreResult<InstalledModel> ModelStore::find(std::string_view name_or_alias) const {
  const std::string name = canonical(name_or_alias);
  std::error_code ignored;
  if (!is_store_name(name) || !fs::is_directory(root_ / name, ignored)) {
    return missing(name_or_alias);
  }
  auto manifest = read_manifest(root_ / name);
  if (!manifest) return manifest.error();
  return InstalledModel{std::move(*manifest), root_ / name};
}

StoreResult<InstalledModel> ModelStore::find_whole(std::string_view name_or_alias) const {
  auto model = find(name_or_alias);
  if (!model) return model;
  if (auto sizes = check_sizes(*model); !sizes) return sizes.error();
  return model;
}

StoreResult<ModelLocation> ModelStore::resolve(std::string_view name_or_path) const {
  if (const auto* helper = find_helper(canonical(name_or_path))) return no_transcriber(*helper);
  const auto model = find_whole(name_or_path);
  if (model) return ModelLocation{model->manifest.name, model->folder};
  if (model.error().code == StoreErrc::damaged) return model.error();
  // A name wins over a path: `base` means the model, `./base` the folder.
  const fs::path path(name_or_path);
  std::error_code ignored;
  if (name_or_path.empty() || !fs::exists(path, ignored)) {
    StoreError neither = model.error();
    if (neither.code == StoreErrc::unknown_model) {
      neither.message = "there is no model or path named '" + std::string(name_or_path) + "'";
    }
    return neither;
  }
  const fs::path full = fs::absolute(path, ignored).lexically_normal();
  const fs::path last = full.has_filename() ? full.filename() : full.parent_path().filename();
  return ModelLocation{last.string(), full};
}

StoreResult<void> ModelStore::check_sizes(const InstalledModel& model) const {
  for (const auto& file : model.manifest.files) {
    std::error_code error;
    const auto size = fs::file_size(model.folder / file.name, error);
    const std::string expected = std::to_string(file.size) + " bytes";
    if (error) return damaged_file(model, file.name, expected, error.message());
    if (size != file.size) {
      return damaged_file(model, file.name, expected, std::to_string(size) + " bytes");
    }
  }
  return {};
}

StoreResult<void> ModelStore::verify(const InstalledModel& model, const Observer& observer) const {
  if (auto sizes = check_sizes(model); !sizes) return sizes;
  for (const auto& file : model.manifest.files) {
    const auto hash = hash_file(
        model.folder / file.name, Digest::Kind::sha256, observer.stop, [&](std::uint64_t done) {
          observer.progress({PullProgress::Phase::verifying, file.name, done, file.size});
        });
    if (!hash) return hash.error();
    if (*hash != file.sha256) {
      return damaged_file(model, file.name, "sha256 " + file.sha256, "sha256 " + *hash);
    }
  }
  return {};
}

StoreResult<void> ModelStore::remove(std::string_view name_or_alias) const {
  const std::string name = canonical(name_or_alias);
  std::error_code error;
  if (!is_store_name(name) || !fs::is_directory(root_ / name, error)) {
    return missing(name_or_alias);
  }
  auto lock = InstallLock::acquire(root_, name);
  if (!lock) return lock.error();
  // The folder is renamed first, so that nobody sees half a model.
  const fs::path partial = partial_folder(root_) / name;
  fs::remove_all(partial, error);
  fs::rename(root_ / name, partial, error);
  if (!error) fs::remove_all(partial, error);
  if (error) return system_error("cannot remove " + (root_ / name).string(), error.value());
  return {};
}

}  // namespace server
