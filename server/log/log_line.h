#pragma once

#include <string>
#include <string_view>

#include "server/log/log.h"

namespace server {

// One line without its end. `time` is ISO 8601, or empty for none.
std::string log_line(LogForm form, std::string_view time, LogLevel level, std::string_view message,
                     LogFields fields, bool spoken_text);

// "2026-11-21T19:03:42.125Z" of seconds since 1970.
std::string utc_time(double seconds);

// What a person said must not get into logs by accident: fields of these names are dropped.
bool is_spoken_text(std::string_view key);

}  // namespace server
