#pragma once

#include <span>
#include <string>

#include "protocol/error.h"

namespace protocol::docx {

struct ZipEntry {
  std::string name{};
  std::string content{};
};

// Returns a zip archive of these files, in this order and with one fixed time, so that the same
// files give the same bytes. The error is internal: libzip could not make it.
Result<std::string> zip_archive(std::span<const ZipEntry> entries);

}  // namespace protocol::docx
