#include "protocol/transcript_json.h"

#include <algorithm>

#include "protocol/json_numbers.h"
#include "protocol/json_parse.h"
#include "protocol/speakers.h"
#include "protocol/transcript_fields.h"

namespace protocol {
namespace {

constexpr std::size_t most_values = 4'000'000;  // some days of speech

// A word has the speaker of its segment, which says so too. How many tokens it has is told between
// scribed's own processes alone.
void finish_words(nlohmann::ordered_json& segment) {
  if (!segment.contains("words")) return;
  for (auto& word : segment["words"]) {
    word.erase("text_tokens");
    if (segment["speaker"] != "") word["speaker"] = segment["speaker"];
  }
}

}  // namespace

nlohmann::ordered_json turns_json(std::span<const SpeakerTurn> turns) {
  auto list = nlohmann::ordered_json::array();
  for (const SpeakerTurn& turn : turns) {
    list.push_back({{"start", json::seconds(turn.start)},
                    {"end", json::seconds(turn.end)},
                    {"speaker", turn.speaker}});
    if (turn.channel) list.back()["channel"] = *turn.channel;
  }
  return list;
}

nlohmann::ordered_json speakers_json(std::span<const SpeakerTurn> turns) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& [speaker, seconds] : speaker_times(turns)) {
    list.push_back({{"id", speaker}, {"seconds", json::seconds(seconds)}});
  }
  return list;
}

nlohmann::ordered_json to_json(const Transcript& transcript) {
  auto object = json::write(transcript);
  object["duration"] = json::seconds(transcript.duration);
  if (transcript.languages.empty()) object.erase("languages");
  if (transcript.turns.empty()) {
    object.erase("turns");
  } else {
    object["turns"] = turns_json(transcript.turns);
    object["speakers"] = speakers_json(transcript.turns);
  }
  for (auto& time : object["timings"]) time = json::seconds(time);
  const bool has_words =
      std::ranges::any_of(transcript.segments, [](const Segment& s) { return !s.words.empty(); });
  for (auto& segment : object["segments"]) {
    if (!has_words) segment.erase("words");
    if (segment["language"] == "") segment.erase("language");
    if (segment["channel"].is_null()) segment.erase("channel");
    finish_words(segment);
    if (segment["speaker"] == "") segment.erase("speaker");
    if (segment["token_logprobs"].empty()) segment.erase("token_logprobs");
  }
  return object;
}

nlohmann::ordered_json to_json(const Segment& segment) {
  auto object = json::write(segment);
  if (segment.words.empty()) object.erase("words");
  if (segment.language.empty()) object.erase("language");
  if (!segment.channel) object.erase("channel");
  finish_words(object);
  if (segment.speaker.empty()) object.erase("speaker");
  if (segment.token_logprobs.empty()) object.erase("token_logprobs");
  return object;
}

Result<Transcript> parse_transcript(std::string_view text) {
  auto object = json::parse_object(text, {.values = most_values});
  if (object.has_error()) return object.error();
  Transcript transcript;
  json::Reader reader(json::Missing::keeps_its_default);  // fields that say nothing are left out
  reader.read(*object, "", transcript);
  if (reader.failed()) return Error{bad_message, "transcript: " + reader.problem()};
  return transcript;
}

}  // namespace protocol
