#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace server {

// A part of a text, in UTF-16 units, as JavaScript counts them.
struct TextSpan {
  std::size_t begin = 0;
  std::size_t end = 0;

  friend bool operator==(const TextSpan&, const TextSpan&) = default;
};

// How a text is looked for in others.
struct FindRule {
  bool match_case = true;
  bool whole_words = false;  // no letter or digit stands beside it
};

// Looks for one text in many. A search takes time in proportion to the length of the text that is
// searched, whatever both texts are (Knuth, Morris and Pratt).
class TextFinder {
 public:
  TextFinder(std::string_view wanted, FindRule rule);

  // Returns where the wanted text stands, from left to right; places that overlap an earlier one
  // are left out. Without `match_case` capital and small letters of any script are the same.
  std::vector<TextSpan> find_in(std::string_view text) const;

 private:
  FindRule rule_;
  std::string first_byte_{};  // of the wanted text, where case counts
  std::u16string wanted_{};   // folded, where case does not count
  std::vector<std::size_t>
      borders_{};  // of each prefix: its longest end that is also its beginning
};

// Returns what a TextFinder finds in one text.
std::vector<TextSpan> find_in(std::string_view text, std::string_view wanted, FindRule rule);

// Returns the text with `with` in these places.
std::string replaced(std::string_view text, const std::vector<TextSpan>& places,
                     std::string_view with);

}  // namespace server
