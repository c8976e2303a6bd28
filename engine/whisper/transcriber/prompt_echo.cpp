#include "engine/whisper/transcriber/prompt_echo.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace engine {
namespace {

// Bytes beyond ASCII belong to letters.
bool is_letter(char byte) {
  const auto value = static_cast<unsigned char>(byte);
  return value >= 0x80 || (value >= '0' && value <= '9') ||
         ((value | 0x20) >= 'a' && (value | 0x20) <= 'z');
}

char lower(char byte) {
  return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte + ('a' - 'A')) : byte;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  bool is_inside = false;
  for (const char byte : text) {
    const bool is_part = is_letter(byte);
    if (is_part && !is_inside) words.emplace_back();
    if (is_part) words.back() += lower(byte);
    is_inside = is_part;
  }
  return words;
}

}  // namespace

std::string letters_of(std::string_view text) {
  std::string letters;
  for (const char byte : text) {
    if (is_letter(byte)) letters += lower(byte);
  }
  return letters;
}

std::string given_text(const TranscriptionOptions& options) {
  return options.initial_prompt + " " + options.hotwords + " " + options.prefix;
}

PromptEcho::PromptEcho(std::string_view read) : letters_(letters_of(read)) {
  for (auto& word : words_of(read)) words_.insert(std::move(word));
}

bool PromptEcho::repeats(std::string_view text, double least) const {
  if (words_.empty()) return false;
  if (letters_.find(letters_of(text)) != std::string::npos) return true;
  const auto words = words_of(text);
  const auto known =
      std::ranges::count_if(words, [&](const std::string& word) { return words_.contains(word); });
  return static_cast<double>(known) >= least * static_cast<double>(words.size());
}

}  // namespace engine
