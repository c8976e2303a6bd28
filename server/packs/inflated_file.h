#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include "engine/weights/zip_archive.h"
#include "server/models/error.h"

namespace server {

// Writes the unpacked bytes of a member of an archive into a new file, which has been synced when
// this returns. `go_on` gets the number of bytes that are written, again and again, and returns
// false to end. Fails with wrong_content where the bytes are damaged or have another size or
// checksum than the archive says.
StoreResult<void> write_inflated(const engine::ZipMember& member, const std::filesystem::path& file,
                                 const std::function<bool(std::uint64_t)>& go_on);

}  // namespace server
