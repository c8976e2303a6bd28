#include "protocol/deepgram/spoken_words.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "protocol/text_rules.h"

namespace protocol::deepgram {
namespace {

std::vector<Word> plain_words(const std::vector<SpokenWord>& words) {
  std::vector<Word> plain;
  for (const auto& one : words) plain.push_back(one.word);
  return plain;
}

}  // namespace

std::vector<SpokenWord> spoken_words(const Transcript& transcript, int channel) {
  std::vector<std::string> speakers;
  std::vector<SpokenWord> words;
  for (const auto& segment : transcript.segments) {
    std::optional<int> speaker;
    if (!segment.speaker.empty()) {
      const auto known = std::ranges::find(speakers, segment.speaker);
      speaker = static_cast<int>(known - speakers.begin());
      if (known == speakers.end()) speakers.push_back(segment.speaker);
    }
    if (channel >= 0 && segment.channel.value_or(0) != channel) continue;
    for (const auto& word : segment.words) words.push_back({word, speaker});
  }
  return words;
}

bool ends_sentence(const Word& word) {
  constexpr std::array<std::string_view, 7> ends = {".", "?", "!", "。", "？", "！", "।"};
  return std::ranges::any_of(
      ends, [text = strip(word.word)](std::string_view end) { return text.ends_with(end); });
}

std::vector<std::vector<SpokenWord>> runs_of(const std::vector<SpokenWord>& words,
                                             const RunRules& rules) {
  std::vector<std::vector<SpokenWord>> runs;
  int sentences = 0;
  for (const auto& word : words) {
    const bool is_full = rules.most_sentences > 0 && sentences >= rules.most_sentences;
    const bool goes_on = !runs.empty() && !is_full && runs.back().back().speaker == word.speaker &&
                         word.word.start - runs.back().back().word.end <= rules.longest_pause_s;
    if (!goes_on) {
      runs.emplace_back();
      sentences = 0;
    }
    runs.back().push_back(word);
    if (ends_sentence(word.word)) ++sentences;
  }
  return runs;
}

std::string text_of(const std::vector<SpokenWord>& words) {
  return text_of(plain_words(words));
}

double confidence_of(const std::vector<SpokenWord>& words) {
  return confidence_of(plain_words(words));
}

Json words_json(const std::vector<SpokenWord>& words) {
  Json list = Json::array();
  for (const auto& one : words) {
    list.push_back(word_json(one.word));
    if (one.speaker) list.back()["speaker"] = *one.speaker;
  }
  return list;
}

}  // namespace protocol::deepgram
