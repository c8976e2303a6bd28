#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/base/error.h"
#include "server/client/api_client.h"

namespace server {

// Which jobs are deleted: those that are named, or all that ended long ago and are not pinned.
struct JobsToDelete {
  std::vector<std::string> jobs{};
  std::string older_than{};  // as read_age() takes it
  std::string owner{};       // of old ones; empty: of all whose jobs the key may see
  bool yes = false;          // does not ask
  bool json = false;
};

// Reads "30d", "12h" or "90m" as seconds; nothing: it is no such age.
std::optional<double> read_age(std::string_view text);

// Deletes jobs that have ended, with their texts and recordings. Of old ones it asks first on a
// terminal, and elsewhere wants `yes`.
ExitCode delete_jobs(const JobsToDelete& wanted, const ApiClient& client);

}  // namespace server
