#include "server/packs/pack_store.h"

#include <algorithm>

#include "platform/runtime_pack.h"
#include "server/models/install_lock.h"
#include "server/models/staging.h"

namespace server {

namespace fs = std::filesystem;

namespace {

std::uint64_t size_of_files(const platform::PackPackage& package) {
  std::uint64_t bytes = 0;
  for (const auto& file : package.files) bytes += file.size;
  return bytes;
}

}  // namespace

std::vector<ShippedPack> shipped_packs(const fs::path& program_folder) {
  std::vector<ShippedPack> packs;
  for (const auto& pack : platform::find_runtime_packs(program_folder)) {
    auto list = platform::read_pack_list(pack.worker.parent_path() / platform::pack_list_file);
    if (list) packs.push_back({pack.name, *std::move(list)});
  }
  return packs;
}

StoreResult<ShippedPack> find_shipped(const std::vector<ShippedPack>& packs,
                                      const std::string& name) {
  std::string names;
  for (const auto& pack : packs) {
    if (pack.list.name == name || pack.runtime == name) return pack;
    names += (names.empty() ? "" : ", ") + pack.list.name;
  }
  if (packs.empty()) {
    return StoreError{StoreErrc::not_on_server,
                      "this installation of scribed has no worker for '" + name + "'",
                      "Take a package of scribed that brings it, or build the pack: "
                      "./scripts/build_cuda. See: scribed doctor"};
  }
  return StoreError{StoreErrc::not_on_server,
                    "there is no runtime pack '" + name + "' for this installation",
                    "There are: " + names + ". See: scribed packs list"};
}

std::uint64_t download_bytes(const platform::PackList& list) {
  std::uint64_t bytes = 0;
  for (const auto& package : list.packages) bytes += package.size;
  return bytes;
}

std::uint64_t installed_bytes(const platform::PackList& list) {
  std::uint64_t bytes = 0;
  for (const auto& package : list.packages) bytes += size_of_files(package);
  return bytes;
}

bool is_pack_name(const std::string& name) {
  return !name.empty() && name.front() != '.' && name.find('/') == name.npos;
}

StoreResult<void> remove_pack(const fs::path& root, const std::string& name) {
  const fs::path folder = root / name;
  const fs::path partial = partial_folder(root) / name;
  std::error_code error;
  const auto nothing = [&] {
    return StoreError{StoreErrc::not_installed,
                      "the pack " + name + " is not installed in " + root.string(),
                      "See: scribed packs list"};
  };
  if (!fs::exists(fs::symlink_status(folder)) && !fs::exists(fs::symlink_status(partial))) {
    return nothing();
  }
  const auto lock = InstallLock::acquire(root, name, "runtime pack");
  if (!lock) return lock.error();
  // A rename makes it vanish at once, so that nobody starts a worker on half of it.
  const fs::path old = partial / "removed";
  if (auto made = make_folder(partial); !made) return made;
  fs::remove_all(old, error);
  fs::rename(folder, old, error);
  if (error && error != std::errc::no_such_file_or_directory) {
    return system_error("cannot remove " + folder.string(), error.value());
  }
  fs::remove_all(partial, error);
  if (error) return system_error("cannot remove " + partial.string(), error.value());
  lock->remove_file();
  fs::remove(root, error);  // fails where other packs are
  return {};
}

}  // namespace server
