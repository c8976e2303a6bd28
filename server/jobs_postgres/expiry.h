#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace server::postgres {

// How long a job is kept whose client has never fetched it, in seconds.
inline constexpr int waited_keep_s = 86'400;

// Returns SQL for the time at which a job expires that ends now. `keep_s` is the parameter with how
// long the store keeps jobs (PostgresStoreSettings::keep_s). 0: it does not expire.
inline std::string expiry(std::string_view keep_s) {
  return fmt::format(
      "CASE WHEN pinned OR kept THEN 0 ELSE coalesce(scribed_now() + nullif(CASE WHEN keep_s > 0 "
      "THEN keep_s WHEN home = '' THEN {}::float8 ELSE {} END, 0), 0) END",
      keep_s, waited_keep_s);
}

}  // namespace server::postgres
