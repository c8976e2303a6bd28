#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/live/live_listener.h"
#include "protocol/worker_messages.h"
#include "tests/engine/live/loud_is_speech.h"

// The live sessions of the fake worker. Turns are those of the real listener, to which loud sound
// is speech. Every second of a turn that is complete becomes a word, "w1", "w2" and so on, and at
// the turn's end what is left becomes the last one. The tail is "perhaps". The second look says all
// of it once more in capital letters, and of two speakers each has every other turn.
namespace fake {

class LiveSession {
 public:
  using Tell = std::function<void(const protocol::TranscriptEvent&)>;

  // `after_turn` is called with the number of turns that have ended.
  LiveSession(const protocol::worker::Transcribe& request, Tell tell,
              std::function<void(int)> after_turn)
      : tell_(std::move(tell)), after_turn_(std::move(after_turn)) {
    settings_.live = *request.live;
    settings_.language = request.options.language;
    diarizes_ = request.options.diarize;
  }

  // Returns how many seconds were heard, as the engine's error where that fails.
  engine::Result<double> run(int pipe, engine::LiveWishes& wishes, const std::stop_token& stop) {
    engine::LiveListener listener(
        {.pipe = pipe, .listen = engine::loud_is_speech(), .live = settings_.live, .tell = tell_},
        wishes, stop);
    while (true) {
      const auto pieces = listener.take(std::chrono::milliseconds(100));
      if (!pieces) return pieces.error();
      for (const auto& piece : *pieces) {
        if (const auto* ended = std::get_if<engine::live::Ended>(&piece)) {
          return seconds(ended->samples);
        }
        std::visit([this](const auto& one) { take(one); }, piece);
      }
    }
  }

 private:
  static double seconds(std::int64_t samples) { return static_cast<double>(samples) / 16'000; }

  void take(const engine::live::TurnBegan& began) {
    turn_ = {.turn = began.turn, .start_s = seconds(began.begin)};
    heard_s_ = turn_.start_s;
  }
  void take(const engine::live::Sound& sound) {
    heard_s_ = seconds(sound.begin + static_cast<std::int64_t>(sound.samples.size()));
    while (heard_s_ - word_begin() >= 1) add_word(word_begin() + 1);
    tell_(protocol::LiveText{heard_s_, turn_.text, " perhaps"});
  }
  void take(const engine::live::TurnEnded& ended) {
    if (heard_s_ > word_begin()) add_word(heard_s_);
    turn_.end_s = seconds(ended.end);
    turn_.cause = ended.cause;
    turn_.language = settings_.language.empty() ? "en" : settings_.language;
    if (settings_.live.second_look) {
      std::ranges::replace(turn_.text, 'w', 'W');
    }
    if (diarizes_) turn_.speaker = turn_.turn % 2 == 1 ? "A" : "B";
    tell_(turn_);
    after_turn_(++ended_);
  }
  void take(const engine::live::TurnDropped&) { turn_ = {}; }
  void take(const engine::live::Configured& configured) { settings_ = configured.settings; }
  void take(const engine::live::Ended&) {}

  double word_begin() const { return turn_.words.empty() ? turn_.start_s : turn_.words.back().end; }

  void add_word(double end) {
    const std::string name = "w" + std::to_string(turn_.words.size() + 1);
    const protocol::Word word{word_begin(), end, " " + name, 0.9};
    turn_.text += (turn_.text.empty() ? "" : " ") + name;
    turn_.words.push_back(word);
    tell_(protocol::LiveWords{turn_.turn, {word}});
  }

  Tell tell_;
  std::function<void(int)> after_turn_;
  protocol::LiveSettings settings_;
  bool diarizes_ = false;
  protocol::TurnEnded turn_;  // as far as it is heard
  double heard_s_ = 0;
  int ended_ = 0;
};

}  // namespace fake
