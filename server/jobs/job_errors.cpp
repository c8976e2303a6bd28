#include "server/jobs/job_errors.h"

#include <fmt/format.h>

namespace server {

Error job_not_found(const std::string& id) {
  return {errc::job_not_found, fmt::format("There is no job {}.", id),
          "Results are kept for a day unless configured otherwise."};
}

Error draining() {
  return {errc::draining, "scribed is about to end.", "Send it again when scribed runs again."};
}

}  // namespace server
