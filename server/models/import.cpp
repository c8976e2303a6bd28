#include "server/models/import.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include "platform/unique_fd.h"
#include "server/models/adapter_import.h"
#include "server/models/digest.h"
#include "server/models/inspection.h"
#include "server/models/install_lock.h"
#include "server/models/registry.h"
#include "server/models/staging.h"

namespace server {

namespace fs = std::filesystem;

namespace {

// Hashes a file while copying it, so that the manifest describes the bytes that were read and not
// those that the disk returns later.
StoreResult<InstalledFile> copy_hashed(const fs::path& from, const fs::path& folder,
                                       const Observer& observer) {
  const fs::path to = folder / from.filename();
  const platform::UniqueFd in(::open(from.c_str(), O_RDONLY | O_CLOEXEC));
  if (!in) return system_error("cannot read " + from.string(), errno);
  const platform::UniqueFd out(::open(to.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!out) return system_error("cannot write " + to.string(), errno);
  std::error_code error;
  const auto total = fs::file_size(from, error);
  Hasher hasher(Digest::Kind::sha256, total);
  std::vector<char> buffer(1 << 20);
  std::uint64_t done = 0;
  while (true) {
    if (observer.stop.stop_requested()) return StoreError{StoreErrc::cancelled, "stopped", ""};
    const ssize_t got = ::read(in.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_error("cannot read " + from.string(), errno);
    if (got == 0) return InstalledFile{from.filename().string(), done, hasher.finish()};
    hasher.update({buffer.data(), static_cast<std::size_t>(got)});
    for (ssize_t put = 0; put < got;) {
      const ssize_t now =
          ::write(out.get(), buffer.data() + put, static_cast<std::size_t>(got - put));
      if (now < 0 && errno == EINTR) continue;
      if (now < 0) return system_error("cannot write " + to.string(), errno);
      put += now;
    }
    done += static_cast<std::uint64_t>(got);
    observer.progress({PullProgress::Phase::copying, from.filename().string(), done, total});
  }
}

StoreResult<std::vector<InstalledFile>> copy_all(const std::vector<fs::path>& files,
                                                 const fs::path& folder, const Observer& observer) {
  std::uint64_t total = 0;
  std::error_code error;
  for (const auto& file : files) total += fs::file_size(file, error);
  if (auto room = require_space(folder, total); !room) return room.error();
  std::vector<InstalledFile> copies;
  for (const auto& file : files) {
    auto copy = copy_hashed(file, folder, observer);
    if (!copy) return copy.error();
    copies.push_back(std::move(*copy));
  }
  return copies;
}

// Adds a borrowed vocabulary to `files` if the model at `path` has none. What a person should know
// of the model is noted.
StoreResult<void> add_vocabulary(const ModelStore& store, const fs::path& path,
                                 std::vector<fs::path>& files, const Observer& observer) {
  const auto inspected = inspect(path);
  if (!inspected) return inspected.error();
  for (const std::string& note : inspected->notes) observer.note(note);
  if (inspected->has_vocabulary) return {};
  const auto borrowed = borrow_vocabulary(store, inspected->multilingual);
  if (!borrowed) return borrowed.error();
  files.insert(files.end(), borrowed->begin(), borrowed->end());
  return {};
}

// Returns the files to copy of the model at `path`; `base` is where that of an adapter is, whose
// files are known when it is merged.
StoreResult<std::vector<fs::path>> files_of(const ModelStore& store, const fs::path& path,
                                            const std::optional<fs::path>& base,
                                            const Observer& observer) {
  const fs::path whole = base.value_or(path);
  StoreResult<std::vector<fs::path>> files = std::vector<fs::path>();
  if (!base) files = model_files(path);
  if (!files) return files.error();
  if (auto added = add_vocabulary(store, whole, *files, observer); !added) return added.error();
  return files;
}

// Fills the folder: with copies of the files, and an adapter's merged weights with what belongs
// beside them.
StoreResult<std::vector<InstalledFile>> fill(const fs::path& folder, const fs::path& path,
                                             const std::optional<fs::path>& base,
                                             std::vector<fs::path> files,
                                             const Observer& observer) {
  if (!base) return copy_all(files, folder, observer);
  auto merged = merge_adapter(path, *base, folder, observer);
  if (!merged) return merged.error();
  files.insert(files.end(), merged->beside.begin(), merged->beside.end());
  auto copies = copy_all(files, folder, observer);
  if (copies) copies->push_back(std::move(merged->weights));
  return copies;
}

}  // namespace

std::string suggested_name(const fs::path& path) {
  const fs::path full = fs::absolute(path).lexically_normal();
  std::error_code ignored;
  std::string name =
      full.has_filename() ? full.filename().string() : full.parent_path().filename().string();
  if (!fs::is_directory(path, ignored)) {
    // The part before the first point tells "model.fp16.safetensors" and an index.
    const std::string first = name.substr(0, name.find('.'));
    name = first == "model" || first == "pytorch_model" ? first : fs::path(name).stem().string();
  }
  // A file name that every folder has says less than the folder's name.
  if (name == "model" || name == "pytorch_model" || name == "adapter_model")
    name = full.parent_path().filename().string();
  if (name.starts_with("ggml-")) name.erase(0, 5);
  const auto* registered = find_registered(name);
  return registered != nullptr ? registered->name : name;
}

StoreResult<Manifest> import_model(const ModelStore& store, const fs::path& path,
                                   const ImportOptions& options, const Observer& observer) {
  std::error_code error;
  if (!fs::exists(path, error)) {
    return StoreError{StoreErrc::unknown_model, path.string() + " does not exist",
                      "Give the path of a model's file or folder."};
  }
  std::string name = options.name.empty() ? suggested_name(path) : options.name;
  // Nobody would find a model again under an alias.
  if (const auto* registered = find_registered(name)) name = registered->name;
  if (!is_store_name(name)) {
    return StoreError{StoreErrc::invalid_model, "'" + name + "' cannot be the name of a model",
                      "Choose one of letters, digits, '.', '_' and '-' with --name."};
  }
  const auto base = base_of_adapter(store, path, options.base);
  if (!base) return base.error();
  auto files = files_of(store, path, *base, observer);
  if (!files) return files.error();
  if (auto made = make_folder(store.root()); !made) return made.error();
  auto lock = InstallLock::acquire(store.root(), name);
  if (!lock) return lock.error();
  if (fs::exists(store.root() / name, error) && !options.replace) {
    return StoreError{StoreErrc::already_installed, "there is a model " + name + " already",
                      "Choose another name with --name, or replace it with --force."};
  }
  const fs::path staged = partial_folder(store.root()) / name / "import";
  fs::remove_all(staged, error);
  if (auto made = make_folder(staged); !made) return made.error();
  auto copies = fill(staged, path, *base, std::move(*files), observer);
  if (!copies) {
    fs::remove_all(staged, error);
    return copies.error();
  }
  const auto inspected = inspect(staged);
  if (!inspected) return inspected.error();
  const Manifest manifest{name,
                          inspected->format,
                          "import",
                          fs::absolute(path).lexically_normal().string(),
                          utc_now(),
                          inspected->dims,
                          std::move(*copies),
                          inspected->languages};
  if (auto done = publish(staged, manifest, store.root()); !done) return done.error();
  fs::remove_all(partial_folder(store.root()) / name, error);
  return manifest;
}

}  // namespace server
