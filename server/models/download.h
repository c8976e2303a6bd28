#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "server/models/error.h"
#include "server/models/http_access.h"
#include "server/models/observer.h"

namespace server {

struct Download {
  std::string url{};
  HttpAccess access{};
  std::filesystem::path to{};  // named "<to>.part" until it is complete
  // Identifies the content; a part that was begun for another one is thrown away.
  std::string identity{};
  std::optional<std::uint64_t> size{};
  std::uint64_t max_size = 64 << 20;  // limit where the size is not known
  std::chrono::seconds patience{30};  // how long a server may send next to nothing
  std::size_t retries = 3;            // consecutive attempts that bring too little
};

// Fetches a file, and resumes the part that an earlier call left. A connection that breaks is tried
// again a few times; the part stays on the disk when this fails. Returns the address that has sent
// the file, which redirects may have led to.
StoreResult<std::string> download(const Download& wanted, const Observer& observer);

// Deletes what download() fetched, so that the next call starts anew.
void discard_download(const std::filesystem::path& to);

}  // namespace server
