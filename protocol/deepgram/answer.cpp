#include "protocol/deepgram/answer.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "protocol/deepgram/spoken_words.h"
#include "protocol/json_numbers.h"
#include "protocol/text_rules.h"

namespace protocol::deepgram {
namespace {

constexpr RunRules paragraph_rules{.longest_pause_s = 2, .most_sentences = 5};

Json sentences_of(const std::vector<SpokenWord>& words) {
  Json sentences = Json::array();
  std::vector<SpokenWord> sentence;
  for (std::size_t i = 0; i < words.size(); ++i) {
    sentence.push_back(words[i]);
    if (!ends_sentence(words[i].word) && i + 1 < words.size()) continue;
    sentences.push_back({{"text", text_of(sentence)},
                         {"start", json::seconds(sentence.front().word.start)},
                         {"end", json::seconds(sentence.back().word.end)}});
    sentence.clear();
  }
  return sentences;
}

Json paragraphs_of(const std::vector<SpokenWord>& words) {
  Json list = Json::array();
  std::string text;
  for (const auto& run : runs_of(words, paragraph_rules)) {
    const auto speaker = run.front().speaker;
    Json paragraph{{"sentences", sentences_of(run)},
                   {"num_words", run.size()},
                   {"start", json::seconds(run.front().word.start)},
                   {"end", json::seconds(run.back().word.end)}};
    if (speaker) paragraph["speaker"] = *speaker;
    list.push_back(std::move(paragraph));
    if (!text.empty()) text += "\n\n";
    if (speaker) text += "Speaker " + std::to_string(*speaker) + ": ";
    text += text_of(run);
  }
  return {{"transcript", text}, {"paragraphs", std::move(list)}};
}

// Segments of channels that were split name theirs; a recording of one channel is not split.
bool has_one_channel(const Transcript& transcript) {
  return std::ranges::any_of(transcript.segments,
                             [](const Segment& segment) { return !segment.channel; });
}

Json channel_of(const Transcript& transcript, const ListenSettings& settings, int channel) {
  const auto words = spoken_words(transcript, channel);
  std::string text;
  for (const auto& segment : transcript.segments) {
    if (channel < 0 || segment.channel.value_or(0) == channel) text += segment.text;
  }
  Json alternative{{"transcript", strip(text)},
                   {"confidence", json::score(confidence_of(words))},
                   {"words", words_json(words)}};
  if (settings.paragraphs) alternative["paragraphs"] = paragraphs_of(words);
  Json about = Json::object();
  if (settings.language.empty()) about["detected_language"] = transcript.language;
  about["alternatives"] = Json::array({std::move(alternative)});
  return about;
}

Json utterances_of(const Transcript& transcript, const ListenSettings& settings, int channels) {
  std::vector<Json> list;
  for (int channel = 0; channel < channels; ++channel) {
    const auto words = spoken_words(transcript, channels == 1 ? -1 : channel);
    for (const auto& run : runs_of(words, {.longest_pause_s = settings.utt_split_s})) {
      Json utterance{{"start", json::seconds(run.front().word.start)},
                     {"end", json::seconds(run.back().word.end)},
                     {"confidence", json::score(confidence_of(run))},
                     {"channel", channel},
                     {"transcript", text_of(run)},
                     {"words", words_json(run)}};
      if (run.front().speaker) utterance["speaker"] = *run.front().speaker;
      list.push_back(std::move(utterance));
    }
  }
  std::ranges::stable_sort(list, {}, [](const Json& one) { return one["start"].get<double>(); });
  Json utterances = Json::array();
  for (auto& one : list) {
    one["id"] = "utterance-" + std::to_string(utterances.size());
    utterances.push_back(std::move(one));
  }
  return utterances;
}

// Deepgram's warnings name a parameter, too, where there is one.
Json warnings_of(const Transcript& transcript) {
  Json list = Json::array();
  for (const auto& warning : transcript.warnings) {
    list.push_back({{"type", "transcript"}, {"message", warning}});
  }
  return list;
}

std::string little_endian(std::uint32_t number, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(number >> (8 * i) & 0xFF);
  return text;
}

}  // namespace

Json listen_answer(const Transcript& transcript, const ListenSettings& settings,
                   const AnswerFacts& facts) {
  const int channels = settings.multichannel && !has_one_channel(transcript) ? 2 : 1;
  Json answer;
  answer["metadata"] = {{"transaction_key", "deprecated"},
                        {"request_id", facts.request_id},
                        {"sha256", facts.sha256},
                        {"created", facts.created},
                        {"duration", json::seconds(transcript.duration)},
                        {"channels", channels},
                        {"models", Json::array({transcript.model})}};
  if (!transcript.warnings.empty()) answer["metadata"]["warnings"] = warnings_of(transcript);
  answer["metadata"]["model_info"][transcript.model] = {
      {"name", transcript.model}, {"version", ""}, {"arch", "whisper"}};
  Json& list = answer["results"]["channels"] = Json::array();
  for (int channel = 0; channel < channels; ++channel) {
    list.push_back(channel_of(transcript, settings, channels == 1 ? -1 : channel));
  }
  if (settings.utterances) {
    answer["results"]["utterances"] = utterances_of(transcript, settings, channels);
  }
  return answer;
}

std::string wav_header(const live::SoundFormat& format) {
  using live::SampleType;
  constexpr std::uint32_t unknown = 0;
  const bool is_linear = format.type == SampleType::s16le;
  const std::uint32_t tag = is_linear ? 1 : format.type == SampleType::alaw ? 6 : 7;
  const auto channels = static_cast<std::uint32_t>(format.channels);
  const auto rate = static_cast<std::uint32_t>(format.rate);
  const std::uint32_t frame = channels * (is_linear ? 2 : 1);
  return "RIFF" + little_endian(unknown, 4) + "WAVEfmt " + little_endian(16, 4) +
         little_endian(tag, 2) + little_endian(channels, 2) + little_endian(rate, 4) +
         little_endian(rate * frame, 4) + little_endian(frame, 2) +
         little_endian(frame / channels * 8, 2) + "data" + little_endian(unknown, 4);
}

}  // namespace protocol::deepgram
