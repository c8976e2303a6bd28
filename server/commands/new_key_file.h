#pragma once

#include <filesystem>

#include "server/base/error.h"
#include "server/config/named_key_file.h"

// The file of keys of a server that has none yet.
namespace server {

// Makes the folder of the place, as root with the rights of whose folder it lies in.
Result<void> make_folder_of(const KeyFilePlace& place);

// Names the file of keys, which is there now, in the configuration. As root in the system's folder
// it lets the service's group read the keys.
Result<void> name_in_config(const KeyFilePlace& place);

}  // namespace server
