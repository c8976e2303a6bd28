#pragma once

#include <filesystem>

#include "server/base/error.h"

namespace SQLite {
class Exception;
}

namespace server {

// Returns the error that a failure of SQLite means: store_busy, store_timeout (CallDeadline),
// damaged_store, out_of_disk, or internal. `file` is the name that the reader of the error may see.
Error error_of(const SQLite::Exception& exception, const std::filesystem::path& file);

}  // namespace server
