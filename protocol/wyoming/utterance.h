#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "protocol/error.h"
#include "protocol/live/adapter.h"
#include "protocol/live_events.h"
#include "protocol/wyoming/frames.h"

namespace protocol::wyoming {

// The wishes that `transcribe` names for an utterance.
struct Wish {
  std::string model{};     // as the client names it; empty: the default
  std::string language{};  // a code; empty: detect it
  std::string hotwords{};  // names first
  int silence_ms = 700;    // ends a command where the server finds its end
};

// Reads the data of `transcribe`. A language that there is not counts as left out.
Wish read_wish(const nlohmann::json& data);

// Reads the format of sound, whose fields fall back to `usual`. The error says what is wrong.
Result<live::SoundFormat> read_format(const nlohmann::json& data, const live::SoundFormat& usual);

int bytes_of_frame(const live::SoundFormat& format);

// The text of an utterance as it comes, and the messages that tell it.
class Utterance {
 public:
  std::vector<Message> add(const LiveWords& words);
  void add(const TurnEnded& turn);
  // Returns the messages that end it.
  std::vector<Message> finish();

  // Counts sound that was given; returns how much there is, in seconds.
  double count(double seconds) { return seconds_ += seconds; }
  bool is_sealed() const { return is_sealed_; }
  bool has_text() const { return !text_.empty(); }
  // Takes no text from now on: the command has ended.
  void seal() { is_sealed_ = true; }

 private:
  void begin(std::vector<Message>& messages);

  std::string text_{};
  std::string language_{};
  double seconds_ = 0;
  bool is_told_ = false;  // transcript-start was sent
  bool has_chunk_ = false;
  bool is_sealed_ = false;
};

}  // namespace protocol::wyoming
