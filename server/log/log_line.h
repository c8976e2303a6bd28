#pragma once

#include <string>
#include <string_view>

#include "server/log/log.h"

namespace server {

// Returns one line without a line end. `time` is ISO 8601, or empty for none.
std::string log_line(LogForm form, std::string_view time, LogLevel level, std::string_view message,
                     LogFields fields, bool spoken_text);

// Returns "2026-11-21T19:03:42.125Z" for seconds since 1970.
std::string utc_time(double seconds);

// Returns whether fields of this name hold what a person said. They are dropped, because spoken
// text must not get into logs by accident.
bool is_spoken_text(std::string_view key);

}  // namespace server
