#pragma once

namespace server {

// How long an ended job is in memory whose client has never fetched it, in seconds.
inline constexpr double waited_keep_s = 24 * 3600;

// SQL for the time at which a job expires that ends now. ?2 is now, in seconds since 1970, and ?3
// is how long the store keeps jobs (JobStoreSettings::keep_s). 0: it does not expire.
inline constexpr char expiry[] =
    "iif(pinned OR kept, 0, coalesce(?2 + nullif(iif(keep_s > 0, keep_s, "
    "iif(detached, ?3, 86400)), 0), 0))";

}  // namespace server
