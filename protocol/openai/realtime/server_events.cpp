#include "protocol/openai/realtime/server_events.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "protocol/json_numbers.h"

namespace protocol::openai::realtime {
namespace {

Json null_or(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}

}  // namespace

Json item_json(const std::string& id, const std::optional<std::string>& transcript,
               Revision revision) {
  Json body{{"id", id}};
  if (revision == Revision::beta) body["object"] = "realtime.item";
  body["type"] = "message";
  body["status"] = "completed";
  body["role"] = "user";
  Json content{{"type", "input_audio"}, {"transcript", transcript ? Json(*transcript) : Json()}};
  body["content"] = Json::array();
  body["content"].push_back(std::move(content));
  return body;
}

Json error_json(const char* type, const Refusal& refusal) {
  return {{"type", type},
          {"code", null_or(refusal.code)},
          {"message", refusal.message},
          {"param", null_or(refusal.param)}};
}

Json error_json(const char* type, const Refusal& refusal, const std::string& event_id) {
  Json body = error_json(type, refusal);
  body["event_id"] = null_or(event_id);
  return body;
}

std::string delta_text(std::span<const Word> words, bool is_first) {
  std::string text;
  for (const auto& word : words) text += word.word;
  if (is_first) text.erase(0, std::min(text.find_first_not_of(' '), text.size()));
  return text;
}

Json logprobs_json(std::span<const Word> words) {
  Json list = Json::array();
  for (const auto& word : words) {
    if (word.probability <= 0) continue;  // unknown
    std::vector<int> bytes;
    for (const char byte : word.word) bytes.push_back(static_cast<unsigned char>(byte));
    list.push_back({{"token", word.word},
                    {"logprob", json::score(std::log(word.probability))},
                    {"bytes", bytes}});
  }
  return list;
}

Json completed_json(const TurnEnded& turn, bool with_logprobs) {
  const double duration = std::max(0.0, turn.end_s - turn.start_s);
  Json body{{"transcript", turn.text},
            {"usage", {{"type", "duration"}, {"seconds", json::seconds(duration)}}}};
  if (!turn.language.empty()) {
    body["languages"] = Json::array();
    body["languages"].push_back({{"code", turn.language}});
  }
  if (with_logprobs) body["logprobs"] = logprobs_json(turn.words);
  return body;
}

Json segment_json(const TurnEnded& turn) {
  return {{"start", json::seconds(turn.start_s)},
          {"end", json::seconds(turn.end_s)},
          {"text", turn.text},
          {"speaker", turn.speaker}};
}

}  // namespace protocol::openai::realtime
