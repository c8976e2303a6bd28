#include "server/base/random_id.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "server/base/random_bytes.h"

namespace server {

std::string random_id() {
  // Crockford's base 32 has no letters that look alike and none that need care in URLs and file
  // names.
  constexpr char alphabet[] = "0123456789abcdefghjkmnpqrstvwxyz";
  std::array<unsigned char, 26> bytes{};
  if (!fill_with_random(bytes)) throw std::runtime_error("the kernel gives no random numbers");
  std::string id;
  for (const unsigned char byte : bytes) id += alphabet[byte % 32];
  return id;
}

bool is_id(std::string_view text) {
  return text.size() == 26 && std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z');
         });
}

}  // namespace server
