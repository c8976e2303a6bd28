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

// Returns whether this stands before the comma of an address in Base64.
bool is_head(std::string_view head) {
  if (!is_same_word(head.substr(0, data_scheme.size()), data_scheme)) return false;
  const auto mark = head.rfind(';');
  return mark != head.npos && is_same_word(head.substr(mark), base64_mark);
}

}  // namespace

std::optional<std::string> DataUrlReader::feed(std::string_view text) {
  std::string bytes;
  if (!is_in_bytes_) {
    const auto comma = text.find(',');
    head_ += text.substr(0, std::min(comma, most_head_bytes + 1));
    if (head_.size() > most_head_bytes) return std::nullopt;
    if (comma == text.npos) return bytes;
    if (!is_head(head_)) return std::nullopt;
    is_in_bytes_ = true;
    text.remove_prefix(comma + 1);
  }
  if (!decoder_.feed(text, bytes)) return std::nullopt;
  return bytes;
}

std::optional<std::string> bytes_of_data_url(std::string_view url) {
  DataUrlReader reader;
  auto bytes = reader.feed(url);
  if (!reader.is_whole()) return std::nullopt;
  return bytes;
}

std::string data_url(std::string_view bytes) {
  return "data:application/octet-stream;base64," + encode_base64(bytes);
}

}  // namespace protocol
