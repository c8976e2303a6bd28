#include "server/http/request_id.h"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>

namespace server {
namespace {

bool is_plain(std::string_view id) {
  constexpr std::string_view allowed =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
  return !id.empty() && id.size() <= 64 && id.find_first_not_of(allowed) == id.npos;
}

}  // namespace

std::string new_request_id() {
  std::array<unsigned char, 8> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw std::runtime_error("the kernel gives no random numbers");
  }
  constexpr char digits[] = "0123456789abcdef";
  std::string id;
  for (const unsigned char byte : bytes) {
    id += digits[byte / 16];
    id += digits[byte % 16];
  }
  return id;
}

std::string request_id_of(const boost::beast::http::fields& headers) {
  const std::string_view given = headers["x-request-id"];
  return is_plain(given) ? std::string(given) : new_request_id();
}

}  // namespace server
