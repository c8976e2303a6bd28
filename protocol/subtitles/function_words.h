#pragma once

#include <string>
#include <string_view>

namespace protocol::subtitles {

// How a word is bound to its neighbors.
struct WordBinding {
  bool is_article = false;     // a line never ends after it
  bool leads = false;          // to the word after it: "of", "and", "very"
  bool follows = false;        // to the word before it: Hindi "का", Japanese "は"
  bool begins_clause = false;  // a line may well begin with it: "and", "because"

  friend bool operator==(const WordBinding&, const WordBinding&) = default;
};

// Looks the word up in a short list of function words: of Arabic, Bengali, Chinese, English,
// French, German, Hindi, Indonesian, Italian, Japanese, Portuguese, Russian, Spanish and Urdu.
// Words of other languages are bound to nothing.
//   word      in lower case, without punctuation
//   language  a code
WordBinding binding_of(std::string_view word, std::string_view language);

// Returns the word in lower case without punctuation at its ends.
std::string bare_word(std::string_view word);

}  // namespace protocol::subtitles
