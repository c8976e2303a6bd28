#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "server/store/error.h"
#include "server/store/http_access.h"
#include "server/store/observer.h"

namespace server {

struct Download {
  std::string url{};
  HttpAccess access{};
  std::filesystem::path to{};  // "<to>.part" until it is complete
  // What the content is; a part that was begun for another is thrown away.
  std::string identity{};
  std::optional<std::uint64_t> size{};
  std::uint64_t max_size = 64 << 20;  // where the size is not known
  std::chrono::seconds patience{30};  // with a server that sends next to nothing
  std::size_t retries = 3;            // in a row that bring no part worth going on for
};

// Fetches a file, going on with the part that an earlier call left. A connection that breaks is
// tried again a few times; the part stays on the disk when this fails.
StoreResult<void> download(const Download& wanted, const Observer& observer);

// Throws away what download() fetched, so that the next one starts anew.
void discard_download(const std::filesystem::path& to);

}  // namespace server
