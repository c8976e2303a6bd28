#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/base64.h"

// Addresses that hold their file themselves (RFC 2397), in Base64.
namespace protocol {

// Returns the bytes; empty if this is no such address. Its media type is not looked at.
std::optional<std::string> bytes_of_data_url(std::string_view url);

// Reads such an address as it comes, in pieces of any size.
class DataUrlReader {
 public:
  static constexpr std::size_t most_head_bytes = 1024;  // what may stand before the comma

  // Returns the bytes that are complete now; nothing if this is no such address.
  std::optional<std::string> feed(std::string_view text);
  // Returns whether the address may end here.
  bool is_whole() const { return is_in_bytes_ && decoder_.is_whole(); }

 private:
  bool is_in_bytes_ = false;
  std::string head_{};  // what came before the comma, as far as it has come
  Base64Decoder decoder_{};
};

std::string data_url(std::string_view bytes);

}  // namespace protocol
