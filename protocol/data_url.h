#pragma once

#include <optional>
#include <string>
#include <string_view>

// Addresses that hold their file themselves (RFC 2397), in Base64.
namespace protocol {

// Returns the bytes; empty if this is no such address. Its media type is not looked at.
std::optional<std::string> bytes_of_data_url(std::string_view url);

std::string data_url(std::string_view bytes);

}  // namespace protocol
