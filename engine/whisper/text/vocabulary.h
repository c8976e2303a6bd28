#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engine/error.h"

namespace engine {

// The bytes of every token by id, without gaps. The text tokens come first; a file may name the
// special tokens behind them.
using Tokens = std::vector<std::string>;

// The kinds of vocabulary files. Each says in its error what is wrong, not in which file.
Result<Tokens> parse_tiktoken(std::string_view text);     // "<base64> <id>" a line
Result<Tokens> parse_token_lines(std::string_view text);  // CTranslate2's vocabulary.txt
// Reads CTranslate2's vocabulary.json (a list), Hugging Face's vocab.json (token: id) and
// tokenizer.json.
Result<Tokens> parse_token_json(std::string_view text);

// Reads one vocabulary file, or the one a model folder holds: vocabulary.txt, vocabulary.json,
// vocab.json, tokenizer.json, or *.tiktoken (openai/whisper's name for `multilingual` first).
Result<Tokens> read_vocabulary(const std::filesystem::path& file_or_folder, bool multilingual);

// Returns the text tokens alone: all before "<|endoftext|>". It fails unless they are `count`,
// which tells an English vocabulary from a multilingual one, all different, and every single byte
// is one of them, as any text could not be written in them otherwise.
Result<Tokens> text_tokens(Tokens tokens, int count);

}  // namespace engine
