#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/deepgram/words.h"
#include "protocol/transcript.h"

// The messages of Deepgram's socket, as text.
namespace protocol::deepgram {

// What the messages of a stream tell about it.
struct StreamFacts {
  std::string request_id{};
  std::string created{};  // "2026-11-22T16:00:00.000Z"
  std::string model{};    // by its own name
  int channels = 1;       // of which results are told, each by itself
};

// The text of a range of a channel's sound, in seconds from the first sample.
struct ChannelResult {
  int channel = 0;
  double start = 0;
  double end = 0;
  bool is_final = false;         // else the next result of this start replaces it
  bool speech_final = false;     // the end of speech was heard
  bool from_finalize = false;    // the client asked for it
  std::vector<Word> words{};     // that are decided
  std::string tail{};            // follows the words, and may change
  std::string language{};        // a code, where it was detected; empty: nothing to tell
  std::optional<int> speaker{};  // of all words; unset: nothing to tell
};

std::string results_message(const StreamFacts& facts, const ChannelResult& result);
std::string speech_started_message(const StreamFacts& facts, int channel, double at_s);
std::string utterance_end_message(const StreamFacts& facts, int channel, double last_word_end_s);
std::string metadata_message(const StreamFacts& facts, double duration_s);
std::string error_message(std::string_view variant, std::string_view description);
std::string configured_message(const StreamFacts& facts, std::span<const std::string> keyterms);
std::string too_many_keyterms_message(const StreamFacts& facts, std::string_view description);

}  // namespace protocol::deepgram
