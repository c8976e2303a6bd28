#include "engine/whisper/text/utf8.h"

#include <utility>

namespace engine {
namespace {

constexpr std::string_view replacement_character = "\xEF\xBF\xBD";

struct Sequence {
  size_t length = 1;  // bytes it takes, valid or not
  bool valid = false;
  bool truncated = false;  // the text ended before the sequence could be judged
};

unsigned char byte_at(std::string_view text, size_t i) {
  return static_cast<unsigned char>(text[i]);
}

// The range of the second byte depends on the first: it keeps out overlong forms, surrogates and
// everything above U+10FFFF.
std::pair<unsigned char, unsigned char> second_byte_range(unsigned char first) {
  switch (first) {
    case 0xE0:
      return {0xA0, 0xBF};
    case 0xED:
      return {0x80, 0x9F};
    case 0xF0:
      return {0x90, 0xBF};
    case 0xF4:
      return {0x80, 0x8F};
    default:
      return {0x80, 0xBF};
  }
}

// Returns the sequence at the start of `text`, which is not empty; of a broken one its maximal
// subpart.
Sequence next_sequence(std::string_view text) {
  const unsigned char first = byte_at(text, 0);
  if (first < 0x80) return {1, true, false};
  if (first < 0xC2 || first > 0xF4) return {};
  const size_t wanted = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  for (size_t i = 1; i < wanted; ++i) {
    if (i == text.size()) return {i, false, true};
    const auto [low, high] =
        i == 1 ? second_byte_range(first) : std::pair<unsigned char, unsigned char>(0x80, 0xBF);
    if (byte_at(text, i) < low || byte_at(text, i) > high) return {i, false, false};
  }
  return {wanted, true, false};
}

// Appends `bytes` to `out`, up to an unfinished sequence at the end, and returns how many bytes
// that left over.
size_t append_certain(std::string_view bytes, std::string& out) {
  while (!bytes.empty()) {
    const Sequence sequence = next_sequence(bytes);
    if (sequence.truncated) break;
    out += sequence.valid ? bytes.substr(0, sequence.length) : replacement_character;
    bytes.remove_prefix(sequence.length);
  }
  return bytes.size();
}

}  // namespace

std::string replace_invalid_utf8(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  // An unfinished sequence is one maximal part.
  if (append_certain(bytes, out) > 0) out += replacement_character;
  return out;
}

std::u32string to_code_points(std::string_view text) {
  std::u32string out;
  while (!text.empty()) {
    const size_t length = next_sequence(text).length;
    char32_t c = byte_at(text, 0);
    if (length > 1) c &= 0x7F >> length;
    for (size_t i = 1; i < length; ++i) c = c << 6 | (byte_at(text, i) & 0x3F);
    out += c;
    text.remove_prefix(length);
  }
  return out;
}

std::string Utf8Holdback::push(std::string_view bytes) {
  held_ += bytes;
  std::string out;
  const size_t left = append_certain(held_, out);
  held_.erase(0, held_.size() - left);
  return out;
}

std::string Utf8Holdback::flush() {
  return replace_invalid_utf8(std::exchange(held_, {}));
}

}  // namespace engine
