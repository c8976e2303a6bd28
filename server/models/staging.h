#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "server/models/error.h"
#include "server/models/manifest.h"

// A model is prepared outside the store: files gather in <store>/.partial/<model>/<source>/ and
// reach the store by one rename. A partial folder survives an interruption, so a pull can go on.
namespace server {

std::filesystem::path partial_folder(const std::filesystem::path& store_root);

// Creates a folder with its parents.
StoreResult<void> make_folder(const std::filesystem::path& folder);

// Fails with out_of_disk where the file system of `folder` has less than `bytes` free.
StoreResult<void> require_space(const std::filesystem::path& folder, std::uint64_t bytes);

// Writes a small file.
StoreResult<void> write_file(const std::filesystem::path& file, const std::string& text);

// Moves `staged` into the store as its model `manifest.name`, replacing an existing one. Only the
// files of `manifest` stay in it. Everything is synced to the disk before the rename, and nobody
// sees a moment without the model or with half of one.
StoreResult<void> publish(const std::filesystem::path& staged, const Manifest& manifest,
                          const std::filesystem::path& store_root);

// Moves the folder `staged`, with folders inside, to `target`, replacing one that is there, in the
// same way. Everyone may read it then.
StoreResult<void> publish_tree(const std::filesystem::path& staged,
                               const std::filesystem::path& target);

}  // namespace server
