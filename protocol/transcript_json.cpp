#include "protocol/transcript_json.h"

#include <algorithm>
#include <tuple>
#include <vector>

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

// Only a window that was computed in another way than openai/whisper does says so.
void finish_window(nlohmann::ordered_json& segment) {
  const auto& window = segment["encoder_window"];
  if (window.is_null() || window == json::name_of(WindowKind::full))
    segment.erase("encoder_window");
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

namespace {

constexpr char segments_key[] = "segments";

// Writes all but the segments, which are empty.
nlohmann::ordered_json head_json(const Transcript& transcript) {
  auto object = nlohmann::ordered_json::object();
  const auto add = [&]<class Member>(const json::Field<Transcript, Member>& field) {
    object[field.name] = json::write(transcript.*field.member);
  };
  const auto add_list = [&](const json::Field<Transcript, std::vector<Segment>>& field) {
    object[field.name] = nlohmann::ordered_json::array();
  };
  const auto add_one = [&](const auto& field) {
    if constexpr (requires { add_list(field); }) {
      add_list(field);
    } else {
      add(field);
    }
  };
  std::apply([&](const auto&... all) { (add_one(all), ...); }, json::fields<Transcript>);
  object["duration"] = json::seconds(transcript.duration);
  if (transcript.languages.empty()) object.erase("languages");
  object.erase("windows");
  if (transcript.turns.empty()) {
    object.erase("turns");
  } else {
    object["turns"] = turns_json(transcript.turns);
    object["speakers"] = speakers_json(transcript.turns);
  }
  for (auto& time : object["timings"]) time = json::seconds(time);
  return object;
}

nlohmann::ordered_json segment_json(const Segment& segment, bool has_words) {
  auto object = json::write(segment);
  if (!has_words) object.erase("words");
  if (segment.language.empty()) object.erase("language");
  if (!segment.channel) object.erase("channel");
  finish_words(object);
  if (segment.speaker.empty()) object.erase("speaker");
  if (segment.token_logprobs.empty()) object.erase("token_logprobs");
  finish_window(object);
  return object;
}

bool any_has_words(const Transcript& transcript) {
  return std::ranges::any_of(transcript.segments,
                             [](const Segment& s) { return !s.words.empty(); });
}

}  // namespace

nlohmann::ordered_json to_json(const Transcript& transcript) {
  auto object = head_json(transcript);
  const bool has_words = any_has_words(transcript);
  for (const auto& segment : transcript.segments) {
    object[segments_key].push_back(segment_json(segment, has_words));
  }
  return object;
}

nlohmann::ordered_json to_json(const Segment& segment) {
  return segment_json(segment, !segment.words.empty());
}

std::string json_text(const Transcript& transcript, const json::TextStyle& style) {
  json::ObjectText text(style);
  const bool has_words = any_has_words(transcript);
  const auto head = head_json(transcript);
  for (const auto& [key, value] : head.items()) {
    if (key != segments_key) {
      text.add(key, value);
      continue;
    }
    text.begin_list(key);
    for (const auto& one : transcript.segments) text.add_item(segment_json(one, has_words));
    text.end_list();
  }
  return text.take();
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
