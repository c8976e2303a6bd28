#pragma once

#include <filesystem>

#include "server/base/error.h"

namespace SQLite {
class Exception;
}

namespace server {

// What a failure of SQLite means: store_busy, damaged_store, out_of_disk, or internal. `file` is as
// whoever reads the error may see it.
Error error_of(const SQLite::Exception& exception, const std::filesystem::path& file);

}  // namespace server
