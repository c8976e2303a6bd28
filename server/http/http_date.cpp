#include "server/http/http_date.h"

#include <fmt/format.h>

#include <array>

namespace server {

std::string http_date(std::time_t time) {
  constexpr std::array days{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                              "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  std::tm at{};
  ::gmtime_r(&time, &at);
  return fmt::format("{}, {:02} {} {} {:02}:{:02}:{:02} GMT",
                     days[static_cast<std::size_t>(at.tm_wday)], at.tm_mday,
                     months[static_cast<std::size_t>(at.tm_mon)], at.tm_year + 1900, at.tm_hour,
                     at.tm_min, at.tm_sec);
}

}  // namespace server
