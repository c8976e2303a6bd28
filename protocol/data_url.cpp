#include "protocol/data_url.h"

#include <algorithm>

#include "protocol/base64.h"

namespace protocol {
namespace {

constexpr std::string_view data_scheme = "data:";
constexpr std::string_view base64_mark = ";base64";

// Compares without regard to letter case, in ASCII; `lower` is in lower case.
bool is_same_word(std::string_view text, std::string_view lower) {
  const auto is_same = [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  };
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(), is_same);
}

}  // namespace

std::optional<std::string> bytes_of_data_url(std::string_view url) {
  if (!is_same_word(url.substr(0, data_scheme.size()), data_scheme)) return std::nullopt;
  const auto comma = url.find(',');
  if (comma == url.npos) return std::nullopt;
  const auto head = url.substr(0, comma);
  const auto mark = head.rfind(';');
  if (mark == head.npos || !is_same_word(head.substr(mark), base64_mark)) return std::nullopt;
  return decode_base64(url.substr(comma + 1));
}

std::string data_url(std::string_view bytes) {
  return "data:application/octet-stream;base64," + encode_base64(bytes);
}

}  // namespace protocol
