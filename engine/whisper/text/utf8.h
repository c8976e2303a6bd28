#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace engine {

// Returns the bytes as valid UTF-8: each maximal part of a broken sequence becomes one U+FFFD,
// which is how Python's errors="replace" and web browsers count them.
std::string replace_invalid_utf8(std::string_view bytes);

// Returns the code points of valid UTF-8.
std::u32string to_code_points(std::string_view valid_utf8);

// Makes valid UTF-8 of bytes that arrive in any pieces: a sequence that may still be completed
// waits for its next bytes. All that is returned, joined, equals replace_invalid_utf8 of all that
// came.
class Utf8Holdback {
 public:
  // Returns what these bytes have made certain.
  std::string push(std::string_view bytes);
  // Returns what is left at the end, with an unfinished sequence as U+FFFD.
  std::string flush();

 private:
  std::string held_;  // at most three bytes
};

}  // namespace engine
