#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/whisper/transcriber/live.h"
#include "tests/engine/whisper/decoding/byte_tokenizer.h"
#include "tests/engine/whisper/model/load_toy.h"
#include "tests/engine/whisper/model/random_window.h"

namespace engine {

// Gives what it was told to, a piece at a time to who waits for it.
class ScriptedSource : public LiveSource {
 public:
  Result<std::vector<live::Piece>> take(std::chrono::milliseconds wait) override {
    if (wait.count() == 0) return std::vector<live::Piece>();
    if (next_ == script_.size()) return Error{Errc::input_failed, "gone", ""};
    return std::vector<live::Piece>{script_[next_++]};
  }
  bool is_ahead() const override { return is_ahead_; }
  void note_sentence_end(bool) override { ++notes_; }

  void begin(bool is_speech = true) {
    script_.emplace_back(live::TurnBegan{++turn_, at_, is_speech});
  }
  // Noise in pieces, then silence.
  void speech(double seconds, double piece_s = 0.1) { sound(seconds, piece_s, 0.1F); }
  void silence(double seconds) { sound(seconds, 0.1, 0); }
  void end(protocol::TurnCause cause = protocol::TurnCause::silence) {
    script_.emplace_back(live::TurnEnded{turn_, at_, cause});
    silent_ = 0;
  }
  // A turn that a silence ends.
  void turn(double seconds) {
    begin();
    speech(seconds);
    silence(0.5);
    end();
  }
  void drop() { script_.emplace_back(live::TurnDropped{turn_}); }
  void configure(protocol::LiveSettings settings) {
    script_.emplace_back(live::Configured{std::move(settings)});
  }
  void finish() { script_.emplace_back(live::Ended{at_}); }
  void set_ahead() { is_ahead_ = true; }
  void skip(double seconds) { at_ += samples(seconds); }

  int notes() const { return notes_; }

 private:
  static std::int64_t samples(double seconds) { return std::llrint(seconds * 16'000); }

  void sound(double seconds, double piece_s, float loudness) {
    const auto noise =
        random_numbers(static_cast<std::size_t>(samples(seconds)), ++noises_, loudness);
    const float* first = noise.data();
    for (std::int64_t left = std::ssize(noise); left > 0;) {
      const std::int64_t count = std::min(left, samples(piece_s));
      silent_ = loudness > 0 ? 0 : silent_ + count;
      script_.emplace_back(live::Sound{turn_, at_, {first, first + count}, silent_});
      at_ += count;
      first += count;
      left -= count;
    }
  }

  std::vector<live::Piece> script_;
  std::size_t next_ = 0;
  int turn_ = 0;
  std::int64_t at_ = 0;
  std::int64_t silent_ = 0;
  int notes_ = 0;
  bool is_ahead_ = false;
  std::uint64_t noises_ = 7;
};

// A model that has learned nothing says nothing of meaning, but takes sound in and hands words out
// as any other.
class LiveTest : public testing::Test {
 protected:
  LiveTest() {
    options_.language = "en";
    options_.temperatures = {0};
    options_.compression_ratio_threshold.reset();
    options_.logprob_threshold.reset();
    options_.no_speech_threshold.reset();
    options_.loop_detection = false;
    options_.live_margin = 0;  // where such a model looks for its words means nothing
    options_.sample_len = 12;
    options_.beam_size = 1;
  }

  void take(const TranscriptEvent& event) {
    if (const auto* found = std::get_if<protocol::LanguageDetected>(&event)) {
      language_ = found->language;
      ++languages_;
    } else if (const auto* segment = std::get_if<Segment>(&event)) {
      EXPECT_EQ(segment->id, static_cast<int>(segments_.size()));
      segments_.push_back(*segment);
    } else if (const auto* text = std::get_if<protocol::LiveText>(&event)) {
      looks_.push_back(*text);
    } else if (const auto* words = std::get_if<protocol::LiveWords>(&event)) {
      EXPECT_FALSE(words->words.empty());
      for (const protocol::Word& word : words->words) told_[words->turn] += word.word;
    } else if (const auto* turn = std::get_if<protocol::TurnEnded>(&event)) {
      turns_.push_back(*turn);
    }
  }

  Result<Recognized> transcribe() {
    const TranscriptSink sink = [this](const TranscriptEvent& event) { take(event); };
    return transcribe_live(*runner_, tokenizer_, options_, live_, source_, sink, stop_.get_token());
  }
  static std::string text_of(const protocol::TurnEnded& turn) {
    std::string text;
    for (const protocol::Word& word : turn.words) text += word.word;
    return text;
  }

  ToyWeights toy_;
  Tokenizer tokenizer_ = byte_tokenizer();
  std::unique_ptr<Runner> runner_ =
      Runner::start([this] { return Result<std::unique_ptr<Model>>(load_toy(toy_)); }).value();
  TranscriptionOptions options_;
  protocol::LiveOptions live_;
  ScriptedSource source_;
  std::stop_source stop_;
  std::string language_;
  int languages_ = 0;  // that it was told of
  std::vector<Segment> segments_;
  std::vector<protocol::LiveText> looks_;
  std::map<int, std::string> told_;  // the words of each turn
  std::vector<protocol::TurnEnded> turns_;
};

}  // namespace engine
