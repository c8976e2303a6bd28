#include "protocol/deepgram/words.h"

#include <algorithm>
#include <array>

#include "protocol/json_numbers.h"
#include "protocol/text_rules.h"

namespace protocol::deepgram {
namespace {

// Signs beyond ASCII's that stand before or behind a word.
constexpr std::array<std::string_view, 22> wide_signs = {
    "“", "”",  "„",  "‘",  "’",  "«",  "»",  "…",  "–",  "—",  "¿",
    "¡", "。", "，", "、", "！", "？", "：", "；", "「", "」", "।"};

// The sign at an end of the text in bytes; 0: there is none.
std::size_t sign_at(std::string_view text, bool is_front) {
  if (text.empty()) return 0;
  const char byte = is_front ? text.front() : text.back();
  constexpr std::string_view ascii = "!\"'()*,-.:;?[]_`{}~";
  if (ascii.find(byte) != ascii.npos) return 1;
  for (const auto sign : wide_signs) {
    if (is_front ? text.starts_with(sign) : text.ends_with(sign)) return sign.size();
  }
  return 0;
}

}  // namespace

std::string bare_word(std::string_view word) {
  const auto whole = strip(word);
  auto bare = whole;
  while (const auto bytes = sign_at(bare, true)) bare.remove_prefix(bytes);
  while (const auto bytes = sign_at(bare, false)) bare.remove_suffix(bytes);
  std::string text(bare.empty() ? whole : bare);
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return text;
}

std::string text_of(std::span<const Word> words) {
  std::string text;
  for (const auto& word : words) text += word.word;
  return std::string(strip(text));
}

double confidence_of(std::span<const Word> words) {
  if (words.empty()) return 0;
  double sum = 0;
  for (const auto& word : words) sum += word.probability;
  return sum / static_cast<double>(words.size());
}

Json word_json(const Word& word) {
  return {{"word", bare_word(word.word)},
          {"start", json::seconds(word.start)},
          {"end", json::seconds(word.end)},
          {"confidence", json::score(word.probability)},
          {"punctuated_word", strip(word.word)}};
}

Json words_json(std::span<const Word> words) {
  Json list = Json::array();
  for (const auto& word : words) list.push_back(word_json(word));
  return list;
}

}  // namespace protocol::deepgram
