#include "protocol/segment_parts.h"

#include <algorithm>
#include <string>
#include <utility>

namespace protocol {
namespace {

std::size_t text_tokens(std::span<const Word> words) {
  std::size_t sum = 0;
  for (const Word& word : words) sum += static_cast<std::size_t>(std::max(0, word.text_tokens));
  return sum;
}

std::string words_text(std::span<const Word> words) {
  std::string text;
  for (const Word& word : words) text += word.word;
  return text;
}

// Hands out what belongs to the tokens of the text, part by part.
template <class T>
class Tokens {
 public:
  // `text` of the words' tokens stand behind the one timestamp that may be before them.
  Tokens(const std::vector<T>& tokens, std::size_t text)
      : tokens_(tokens), lead_(std::min<std::size_t>(tokens.size() - text, 1)) {}

  std::vector<T> next(std::size_t text, bool is_last) {
    const std::size_t end = is_last ? tokens_.size() : at_ + std::exchange(lead_, 0) + text;
    const auto begin = tokens_.begin() + static_cast<std::ptrdiff_t>(std::exchange(at_, end));
    return {begin, tokens_.begin() + static_cast<std::ptrdiff_t>(end)};
  }

 private:
  const std::vector<T>& tokens_;
  std::size_t lead_;
  std::size_t at_ = 0;
};

template <class T>
void hand_out(const std::vector<T>& tokens, std::span<const std::size_t> texts,
              std::vector<Segment>& parts, std::vector<T> Segment::*member) {
  std::size_t text = 0;
  for (const std::size_t one : texts) text += one;
  const bool is_known = text > 0 && text <= tokens.size();
  if (!is_known) {
    parts.front().*member = tokens;
    return;
  }
  Tokens<T> left(tokens, text);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i].*member = left.next(texts[i], i + 1 == parts.size());
  }
}

}  // namespace

std::vector<Segment> cut_segment(const Segment& segment, std::span<const std::size_t> borders) {
  if (borders.size() <= 2) return {segment};
  std::vector<Segment> parts;
  std::vector<std::size_t> texts;  // the number of each part's text tokens
  for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
    const auto words = std::span(segment.words).subspan(borders[i], borders[i + 1] - borders[i]);
    Segment& part = parts.emplace_back(segment);
    part.words.assign(words.begin(), words.end());
    part.tokens.clear();
    part.token_logprobs.clear();
    if (i > 0) part.start = words.front().start;
    if (i + 2 < borders.size()) part.end = words.back().end;
    part.text = words_text(words);
    texts.push_back(text_tokens(words));
  }
  hand_out(segment.tokens, texts, parts, &Segment::tokens);
  hand_out(segment.token_logprobs, texts, parts, &Segment::token_logprobs);
  return parts;
}

}  // namespace protocol
