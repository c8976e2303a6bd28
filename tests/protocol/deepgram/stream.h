#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "protocol/deepgram/adapter.h"

// A client of the adapter, for its tests.
namespace protocol::deepgram::test {

using nlohmann::json;

inline Word said(const char* word, double start, double end) {
  return {.start = start, .end = end, .word = word, .probability = 0.9};
}

inline DeepgramAdapter::Setup setup_with(const Query& more) {
  Query query{{"encoding", "linear16"}, {"sample_rate", "16000"}, {"language", "en"}};
  query.insert(query.end(), more.begin(), more.end());
  return {.settings = read_listen_query(query, ListenKind::socket).value(),
          .request_id = "request",
          .created = "2026-11-22T16:00:00.000Z",
          .model = "base"};
}

// A client's stream: what was sent is kept as JSON, other actions as they are.
class Stream {
 public:
  explicit Stream(const Query& more = {}) : Stream(setup_with(more)) {}
  explicit Stream(DeepgramAdapter::Setup setup) : adapter(std::move(setup)) {
    take(adapter.begin());
  }

  void take(live::Actions actions) {
    for (auto& action : actions) {
      if (const auto* send = std::get_if<live::Send>(&action)) {
        sent.push_back(json::parse(send->bytes));
      } else {
        others.push_back(std::move(action));
      }
    }
  }
  void tell(const TranscriptEvent& event, int session = 0) { take(adapter.tell(session, event)); }
  void text(const std::string& text) { take(adapter.receive_text(text)); }
  void bytes(std::size_t count) { take(adapter.receive_bytes(std::string(count, 'x'))); }

  // Returns what was sent since the last call.
  std::vector<json> news() { return std::exchange(sent, {}); }
  template <class Action>
  std::vector<Action> all() const {
    std::vector<Action> found;
    for (const auto& action : others) {
      if (const auto* one = std::get_if<Action>(&action)) found.push_back(*one);
    }
    return found;
  }

  DeepgramAdapter adapter;
  std::vector<json> sent{};
  live::Actions others{};
};

inline TurnEnded turn(double start, double end, std::vector<Word> words,
                      TurnCause cause = TurnCause::silence, int number = 1) {
  std::string text;
  for (const auto& word : words) text += word.word;
  return {.turn = number,
          .start_s = start,
          .end_s = end,
          .text = text,
          .words = std::move(words),
          .language = "en",
          .cause = cause};
}

inline std::string transcript_of(const json& result) {
  return result["channel"]["alternatives"][0]["transcript"];
}

}  // namespace protocol::deepgram::test
