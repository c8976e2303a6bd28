#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "server/models/error.h"
#include "server/models/http_access.h"
#include "server/models/observer.h"

namespace server {

// The server's description of a file before it is fetched.
struct RemoteFile {
  std::optional<std::string> linked_etag;    // X-Linked-ETag: the hub's name for the content
  std::optional<std::uint64_t> linked_size;  // X-Linked-Size
  std::optional<std::string> etag;           // without quotes and W/
  std::optional<std::uint64_t> content_length;
  std::optional<std::string> commit;  // X-Repo-Commit
};

// Sends a HEAD request. Redirects are followed until the file is described; the token is sent to
// the first host only.
StoreResult<RemoteFile> describe(const std::string& url, const HttpAccess& access,
                                 const Observer& observer);

}  // namespace server
