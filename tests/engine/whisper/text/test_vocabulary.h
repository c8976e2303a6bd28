#pragma once

#include <string>
#include <vector>

namespace engine {

// A made-up vocabulary of a real one's size: the 256 bytes, some merges, and fillers that no text
// of these tests holds.
inline std::vector<std::string> test_tokens(size_t count) {
  std::vector<std::string> tokens;
  for (int byte = 0; byte < 256; ++byte) tokens.emplace_back(1, static_cast<char>(byte));
  for (const char* merged :
       {"he", "ll", "hell", "hello", " w", "or", " wor", "ld", " world", "\xE2\x82"}) {
    tokens.emplace_back(merged);
  }
  while (tokens.size() < count) tokens.push_back("\x01" + std::to_string(tokens.size()));
  return tokens;
}

// Ids of the merges above.
enum TestToken { he = 256, ll, hell, hello, space_w, or_, space_wor, ld, space_world, euro_begin };

}  // namespace engine
