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

// Fills the folder: with copies of the files, and an adapter's merged weights with what belongs
// beside them.
StoreResult<std::vector<InstalledFile>> fill(const fs::path& folder, const ImportPlan& plan,
                                             const Observer& observer) {
  if (!plan.base) return copy_all(plan.files, folder, observer);
  auto merged = merge_adapter(plan.path, *plan.base, folder, observer);
  if (!merged) return merged.error();
  std::vector<fs::path> files = plan.files;
  files.insert(files.end(), merged->beside.begin(), merged->beside.end());
  auto copies = copy_all(files, folder, observer);
  if (copies) copies->push_back(std::move(merged->weights));
  return copies;
}

}  // namespace

StoreResult<Manifest> import_model(const ModelStore& store, const fs::path& path,
                                   const ImportOptions& options, const Observer& observer) {
  const ImportPlan plan = plan_import(store, path, options);
  if (plan.model) {
    for (const std::string& note : plan.model->notes) observer.note(note);
  }
  if (plan.refusal) return *plan.refusal;
  if (auto made = make_folder(store.root()); !made) return made.error();
  auto lock = InstallLock::acquire(store.root(), plan.name);
  if (!lock) return lock.error();
  if (!options.replace) {
    // Another process may have installed it since the plan was made.
    if (auto free = require_free_name(store.root(), plan.name); !free) return free.error();
  }
  std::error_code error;
  const fs::path staged = partial_folder(store.root()) / plan.name / "import";
  fs::remove_all(staged, error);
  if (auto made = make_folder(staged); !made) return made.error();
  auto copies = fill(staged, plan, observer);
  if (!copies) {
    fs::remove_all(staged, error);
    return copies.error();
  }
  const auto inspected = inspect(staged);
  if (!inspected) return inspected.error();
  const Manifest manifest{plan.name,          inspected->format,
                          "import",           fs::absolute(path).lexically_normal().string(),
                          utc_now(),          inspected->dims,
                          std::move(*copies), inspected->languages};
  if (auto done = publish(staged, manifest, store.root()); !done) return done.error();
  fs::remove_all(partial_folder(store.root()) / plan.name, error);
  return manifest;
}

}  // namespace server
