#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/error.h"

namespace engine {

// The bytes of tokens by id.
using Tokens = std::vector<std::string>;

// The kinds of tokens that a vocabulary file has, by what becomes of them in a text.
enum class TokenKind : std::uint8_t {
  none,     // no token has this id
  text,     // merged from bytes
  added,    // text that was put into the vocabulary as a whole, which nothing is merged into
  special,  // no text: "<|en|>"
};

// The tokens of a vocabulary file. Both lists are as long.
struct Vocabulary {
  Tokens tokens;                 // the bytes of text, the spelling of a special token
  std::vector<TokenKind> kinds;  // there are gaps behind the text at most

  int size() const { return static_cast<int>(tokens.size()); }
  bool is_text(int id) const {
    return kinds[static_cast<std::size_t>(id)] == TokenKind::text ||
           kinds[static_cast<std::size_t>(id)] == TokenKind::added;
  }
};

// The kinds of vocabulary files. Each says in its error what is wrong, not in which file.
Result<Vocabulary> parse_tiktoken(std::string_view text);     // "<base64> <id>" a line
Result<Vocabulary> parse_token_lines(std::string_view text);  // CTranslate2's vocabulary.txt
// Reads CTranslate2's vocabulary.json (a list), Hugging Face's vocab.json (token: id) and
// tokenizer.json with what was added to it.
Result<Vocabulary> parse_token_json(std::string_view text);
// Adds the tokens of Hugging Face's added_tokens.json (token: id), which lies beside a vocab.json.
Result<void> add_tokens(Vocabulary& vocabulary, std::string_view added_json);

// Returns the vocabulary of bytes that a model's own file holds.
Vocabulary vocabulary_of(Tokens tokens);

// Fails unless all text tokens differ and every single byte is one of them, as any text could not
// be written in them otherwise.
Result<void> check_text(const Vocabulary& vocabulary);

}  // namespace engine
