#include "server/models/staging.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>

#include "platform/unique_fd.h"
#include "server/base/file_calls.h"

namespace server {

namespace fs = std::filesystem;

namespace {

StoreResult<void> sync(const fs::path& path) {
  const platform::UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd || ::fsync(fd.get()) != 0) return system_error("cannot write " + path.string(), errno);
  return {};
}

// Swaps two folders at once, or moves one to a free name.
StoreResult<void> exchange(const fs::path& from, const fs::path& to) {
  const bool replace = fs::exists(fs::symlink_status(to));
  const auto rename = replace ? swap_names : rename_to_free;
  if (rename(AT_FDCWD, from.c_str(), to.c_str()) == 0) return {};
  if (errno != EINVAL && errno != ENOSYS) {
    return system_error("cannot rename " + from.string() + " to " + to.string(), errno);
  }
  // On a file system without these flags (some network ones) two renames do it, with a short gap.
  fs::path old = from;
  old += ".old";
  if (replace && ::rename(to.c_str(), old.c_str()) != 0) {
    return system_error("cannot rename " + to.string(), errno);
  }
  if (::rename(from.c_str(), to.c_str()) != 0) {
    return system_error("cannot rename " + from.string() + " to " + to.string(), errno);
  }
  if (replace && ::rename(old.c_str(), from.c_str()) != 0) {
    return system_error("cannot rename " + old.string(), errno);
  }
  return {};
}

// Private modes like those of mkstemp must not survive, because a service reads what root
// installed.
StoreResult<void> make_readable(const fs::path& file, mode_t mode) {
  if (::chmod(file.c_str(), mode) != 0) {
    return system_error("cannot set the mode of " + file.string(), errno);
  }
  return {};
}

}  // namespace

fs::path partial_folder(const fs::path& store_root) {
  return store_root / ".partial";
}

StoreResult<void> make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return system_error("cannot create the folder " + folder.string(), error.value());
  return {};
}

StoreResult<void> require_space(const fs::path& folder, std::uint64_t bytes) {
  std::error_code error;
  const auto space = fs::space(folder, error);
  if (error || space.available >= bytes) return {};
  const auto megabytes = [](std::uint64_t count) { return std::to_string(count / 1'000'000); };
  auto full = system_error("not enough room in " + folder.string(), ENOSPC);
  full.message += " (" + megabytes(bytes) + " MB needed, " + megabytes(space.available) + " free)";
  return full;
}

StoreResult<void> write_file(const fs::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  if (!out) return system_error("cannot write " + file.string(), errno);
  return {};
}

namespace {

// Removes what an earlier pull left besides the wanted files.
void remove_others(const fs::path& staged, const std::vector<std::string>& names) {
  std::error_code error;
  std::vector<fs::path> others;
  for (const auto& entry : fs::directory_iterator(staged, error)) {
    const std::string name = entry.path().filename().string();
    if (std::find(names.begin(), names.end(), name) == names.end()) others.push_back(entry.path());
  }
  for (const auto& other : others) fs::remove_all(other, error);
}

// Gives a folder whose content is synced its place.
StoreResult<void> swap_in(const fs::path& staged, const fs::path& target) {
  if (auto done = make_readable(staged, 0755); !done) return done;
  if (auto done = sync(staged); !done) return done;
  if (auto done = exchange(staged, target); !done) return done;
  if (auto done = sync(target.parent_path()); !done) return done;
  std::error_code ignored;  // the old version, if there was one
  fs::remove_all(staged, ignored);
  return {};
}

}  // namespace

StoreResult<void> publish(const fs::path& staged, const Manifest& manifest,
                          const fs::path& store_root) {
  auto written = write_file(staged / manifest_file, manifest_text(manifest));
  if (!written) return written;
  std::vector<std::string> names{manifest_file};
  for (const auto& file : manifest.files) names.push_back(file.name);
  remove_others(staged, names);
  for (const auto& file : names) {
    if (auto done = make_readable(staged / file, 0644); !done) return done;
    if (auto done = sync(staged / file); !done) return done;
  }
  return swap_in(staged, store_root / manifest.name);
}

StoreResult<void> publish_tree(const fs::path& staged, const fs::path& target) {
  std::error_code error;
  for (fs::recursive_directory_iterator it(staged, error), end; !error && it != end;
       it.increment(error)) {
    const fs::path& path = it->path();
    if (auto done = make_readable(path, it->is_directory() ? 0755 : 0644); !done) return done;
    if (auto done = sync(path); !done) return done;
  }
  if (error) return system_error("cannot read " + staged.string(), error.value());
  return swap_in(staged, target);
}

}  // namespace server
