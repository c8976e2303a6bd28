#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/whisper/transcriber/sequential.h"
#include "tests/engine/kernels/isas.h"
#include "tests/engine/whisper/decoding/byte_tokenizer.h"
#include "tests/engine/whisper/model/load_toy.h"
#include "tests/engine/whisper/model/random_window.h"

namespace engine {

struct Counts {
  ShortWindows short_windows = ShortWindows::unsupported;  // what the model makes of them
  int encodes = 0;
  std::size_t most_windows = 0;  // that somebody holds at once
  int prompts = 0;
  std::set<int> languages;        // that prompts name
  std::size_t most_together = 0;  // decodes in one step
};

// A model that counts what is asked of it.
class CountingModel : public Model {
 public:
  CountingModel(std::unique_ptr<Model> model, Counts& counts)
      : model_(std::move(model)), counts_(counts) {}

  const ModelDims& dims() const override { return model_->dims(); }
  ShortWindows short_windows() const override { return counts_.short_windows; }
  std::vector<EncodedWindow> encode(std::span<const MelWindow> mels) override {
    std::vector<EncodedWindow> encoded = model_->encode(mels);
    counts_.encodes += static_cast<int>(mels.size());
    std::erase_if(windows_, [](const auto& window) { return window.expired(); });
    windows_.insert(windows_.end(), encoded.begin(), encoded.end());
    counts_.most_windows = std::max(counts_.most_windows, windows_.size());
    return encoded;
  }
  std::unique_ptr<DecodeState> start(EncodedWindow window, const ChoiceOptions& options) override {
    return model_->start(std::move(window), options);
  }
  std::unique_ptr<PendingStep> read_prompts(std::span<const Prompt> prompts) override {
    for (const Prompt& prompt : prompts) {
      ++counts_.prompts;
      counts_.languages.insert(prompt.tokens[1]);
    }
    return model_->read_prompts(prompts);
  }
  std::unique_ptr<PendingStep> step(std::span<DecodeState* const> states) override {
    counts_.most_together = std::max(counts_.most_together, states.size());
    return model_->step(states);
  }
  std::vector<float> logits(const EncodedWindow& window, std::span<const int> tokens) override {
    return model_->logits(window, tokens);
  }
  TokenAttention attend(const EncodedWindow& window, std::span<const int> tokens, int n_text,
                        std::span<const std::pair<int, int>> heads) override {
    return model_->attend(window, tokens, n_text, heads);
  }

 private:
  std::unique_ptr<Model> model_;
  Counts& counts_;
  std::vector<std::weak_ptr<const EncodedAudio>> windows_;
};

// The words of a model that has learned nothing mean nothing, and it is unsure of every language.
class SequentialTest : public ::testing::Test {
 protected:
  SequentialTest() {
    options_.temperatures = {0};
    options_.beam_size = 1;
    options_.sample_len = 8;
    options_.compression_ratio_threshold.reset();
    options_.logprob_threshold.reset();
    options_.no_speech_threshold.reset();
  }

  std::unique_ptr<Runner> start() {
    return Runner::start([this]() -> Result<std::unique_ptr<Model>> {
             return std::unique_ptr<Model>(
                 std::make_unique<CountingModel>(load_toy(toy_), counts_));
           })
        .value();
  }
  // Starts a model that computes short windows, or does so only if it is asked.
  void start_with(ShortWindows short_windows) {
    runner_.reset();
    counts_.short_windows = short_windows;
    runner_ = start();
  }

  std::string transcribe(std::int64_t frames) { return transcribe_after({}, frames); }

  // Returns random numbers whose loudness changes, as that of speech: else they were noise.
  static std::vector<float> sound(std::int64_t frames) {
    std::vector<float> values = random_numbers(static_cast<std::size_t>(frames * 80), 3);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += i / (80 * 50) % 2 == 0 ? 0 : -1;
    return values;
  }

  // Transcribes frames of sound after others of one loudness each.
  std::string transcribe_after(const std::vector<float>& before, std::int64_t frames,
                               const Speech* speech = nullptr) {
    counts_ = {};
    detected_.clear();
    segments_.clear();
    MelSpool spool = MelSpool::create(80).value();
    for (const float loudness : before) {
      EXPECT_TRUE(spool.append({80, std::vector<float>(80, loudness)}));
    }
    EXPECT_TRUE(spool.append({80, sound(frames)}));
    const auto content_frames = static_cast<std::int64_t>(before.size()) + frames;
    return transcribe_sequential(*runner_, tokenizer_, spool, content_frames, options_, sink_, {},
                                 speech)
        .value();
  }
  std::vector<std::int64_t> seeks() const {
    std::vector<std::int64_t> found;
    for (const Segment& segment : segments_) found.push_back(segment.seek);
    return found;
  }

  ToyWeights toy_;
  Tokenizer tokenizer_ = byte_tokenizer();
  Counts counts_;
  std::unique_ptr<Runner> runner_ = start();
  TranscriptionOptions options_;
  const TranscriptSink sink_ = [this](const TranscriptEvent& event) {
    if (const auto* segment = std::get_if<Segment>(&event)) segments_.push_back(*segment);
    if (const auto* found = std::get_if<protocol::LanguageDetected>(&event)) {
      detected_.push_back(found->language);
    }
    if (const auto* heard = std::get_if<protocol::LikeliestLanguages>(&event)) {
      likeliest_ = heard->languages;
    }
  };
  std::vector<protocol::LanguageDetected> likeliest_;
  std::vector<std::string> detected_;
  std::vector<Segment> segments_;
};

}  // namespace engine
