#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace engine {

// Merges bytes into tokens, the pair with the lowest id first and of equal ones the leftmost: a
// token's id is its rank, so no list of merges is needed.
class BytePairs {
 public:
  // `tokens` holds the bytes of each id, no two of them alike, and every single byte. Ids whose
  // bytes are empty are never merged into.
  explicit BytePairs(const std::vector<std::string>& tokens);

  // Appends the tokens of one piece of text. It takes n log n steps, as a piece can be as long as
  // the text.
  void encode(std::string_view piece, std::vector<int>& ids) const;

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  int rank(std::string_view bytes) const;

  std::unordered_map<std::string, int, Hash, std::equal_to<>> ranks_;
};

}  // namespace engine
