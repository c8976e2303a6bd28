#pragma once

#include <ctime>
#include <string>

namespace server {

// Returns the time as fields of HTTP have it: "Sun, 06 Nov 1994 08:49:37 GMT".
std::string http_date(std::time_t time);

}  // namespace server
