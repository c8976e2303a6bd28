#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/whisper/runner/device_loop.h"
#include "tests/engine/whisper/decoding/byte_tokenizer.h"
#include "tests/engine/whisper/model/toy_weights.h"

namespace engine {

using protocol::WorkClass;

// Places of one kind, and the most of them that were in use at once.
struct InUse {
  void take(int count) {
    now += count;
    most = std::max(most.load(), now.load());
  }
  std::atomic<int> now = 0;
  std::atomic<int> most = 0;
};

struct NamedAudio : EncodedAudio {
  explicit NamedAudio(int name, InUse* counted = nullptr) : name(name), windows(counted) {
    if (windows) windows->take(1);
  }
  ~NamedAudio() override {
    if (windows) windows->take(-1);
  }
  int name;
  InUse* windows;
};

struct NamedState : DecodeState {
  NamedState(int name, int n_rows, InUse& counted) : name(name), n_rows(n_rows), rows(counted) {
    rows.take(n_rows);
  }
  ~NamedState() override { rows.take(-n_rows); }
  int name;
  int n_rows;
  InUse& rows;
  int chosen = 0;  // tokens so far
};

// The behaviour of the model; the device thread reads it.
struct Script {
  bool runs_ahead = false;
  std::function<void(const std::string& what)> did;
  std::function<void(int rows)> started = [](int) {};
  // The decode of a window, by its place in the sequence.
  std::function<int(int name, int index)> token = [](int, int) { return int{'x'}; };
  MemoryPlan plan{};  // without windows: no places are counted
  bool may_try_again = false;
  int positions = 0;  // that a window takes of its place; 0: all
  int encodes = 0;    // at once for which nobody waits; 0: as many as of urgent ones
  mutable InUse windows{}, rows{};
};

// Writes down what it is asked to do, in its order. A mel is the name of its window.
class RecordingModel : public Model {
 public:
  explicit RecordingModel(const Script& script) : script_(script), dims_(ToyWeights::dims()) {}

  const ModelDims& dims() const override { return dims_; }
  bool runs_ahead() const override { return script_.runs_ahead; }
  MemoryPlan plan() const override { return script_.plan; }
  int encodes_at_once() const override {
    return script_.encodes > 0 ? script_.encodes : script_.plan.encodes;
  }
  int positions_of(int frames) const override {
    return script_.positions > 0 ? script_.positions : Model::positions_of(frames);
  }
  bool may_try_again() const override { return script_.may_try_again; }
  bool release_idle() override {
    script_.did("release");
    return false;
  }
  std::vector<EncodedWindow> encode(std::span<const MelWindow> mels) override {
    std::vector<EncodedWindow> windows;
    std::string what = "encode";
    for (const MelWindow& mel : mels) {
      const int name = static_cast<int>(mel.at(0));
      windows.push_back(std::make_shared<NamedAudio>(name, &script_.windows));
      what += " " + std::to_string(name);
    }
    script_.did(what);
    return windows;
  }
  std::unique_ptr<DecodeState> start(EncodedWindow window, const ChoiceOptions& options) override {
    script_.started(options.n_rows);
    return std::make_unique<NamedState>(static_cast<const NamedAudio&>(*window).name,
                                        options.n_rows, script_.rows);
  }
  std::unique_ptr<PendingStep> read_prompts(std::span<const Prompt> prompts) override {
    std::vector<DecodeState*> states;
    for (const Prompt& prompt : prompts) states.push_back(prompt.state);
    return choose("prompt", states);
  }
  std::unique_ptr<PendingStep> step(std::span<DecodeState* const> states) override {
    return choose("step", states);
  }
  std::vector<float> logits(const EncodedWindow&, std::span<const int> tokens) override {
    return std::vector<float>(tokens.size() * static_cast<std::size_t>(dims_.n_vocab));
  }
  TokenAttention attend(const EncodedWindow&, std::span<const int>, int,
                        std::span<const std::pair<int, int>>) override {
    return {};
  }

 private:
  struct Pending : PendingStep {
    std::vector<StepOutcome> outcomes() override {
      script->did("read " + what);
      return chosen;
    }
    const Script* script = nullptr;
    std::string what;
    std::vector<StepOutcome> chosen;
  };

  // What did() throws has changed nothing.
  std::unique_ptr<PendingStep> choose(std::string what, std::span<DecodeState* const> states) {
    auto pending = std::make_unique<Pending>();
    for (const DecodeState* state : states) {
      what += " " + std::to_string(static_cast<const NamedState&>(*state).name);
    }
    script_.did(what);
    for (DecodeState* state : states) {
      auto& own = static_cast<NamedState&>(*state);
      StepOutcome outcome;
      const int token = script_.token(own.name, own.chosen++);
      for (int row = 0; row < own.n_rows; ++row) outcome.rows.push_back({row, token, -1, -1});
      pending->chosen.push_back(outcome);
    }
    pending->script = &script_;
    pending->what = what;
    return pending;
  }

  const Script& script_;
  ModelDims dims_;
};

class DeviceLoopTest : public ::testing::Test {
 protected:
  DeviceLoopTest() {
    script_.did = [this](const std::string& what) { did(what); };
  }

  void make(int windows = 0) {
    const auto load = [this]() -> Result<std::unique_ptr<Model>> {
      return std::unique_ptr<Model>(std::make_unique<RecordingModel>(script_));
    };
    loop_ = std::make_unique<DeviceLoop>(load, windows);
    ASSERT_TRUE(loop_->wait_until_loaded());
  }

  // Encodes a window of its own; what is submitted meanwhile waits until let_go().
  std::future<Result<EncodedWindow>> hold_the_device() {
    auto held = encode(holding, WorkClass::background);
    is_held_.get_future().wait();
    return held;
  }
  void let_go() { may_go_on_.set_value(); }

  std::future<Result<EncodedWindow>> encode(int name, WorkClass work_class, int windows = 0) {
    EncodeWork work{{static_cast<float>(name)}, {}};
    auto answer = work.answer.get_future();
    loop_->submit({{work_class, windows}, stop_.get_token(), std::move(work)});
    return answer;
  }
  std::future<Result<DecodingResult>> decode(int name, WorkClass work_class, int steps,
                                             bool loop_detection = false, int beams = 1) {
    return decode(std::make_shared<NamedAudio>(name), work_class, steps, loop_detection, beams);
  }
  std::future<Result<DecodingResult>> decode(EncodedWindow window, WorkClass work_class, int steps,
                                             bool loop_detection, int beams) {
    DecodingOptions options;
    options.beam_size = beams;
    options.sample_len = steps;
    options.loop_detection = loop_detection;
    auto decoding = WindowDecoding::create(options, tokenizer_, ToyWeights::dims()).value();
    DecodeWork work{std::move(window), std::move(decoding), decodes_stop_.get_token(), {}};
    auto answer = work.answer.get_future();
    loop_->submit({{work_class, 0}, {}, std::move(work)});
    return answer;
  }

  // On the device thread.
  void did(const std::string& what) {
    if (!what.starts_with("read") || script_.runs_ahead) order_.push_back(what);
    if (what == "encode " + std::to_string(holding)) {
      is_held_.set_value();
      may_go_on_.get_future().wait();
    }
    then_(what);
  }

  int count(const std::string& what) const {
    return static_cast<int>(std::ranges::count(order_, what));
  }
  std::ptrdiff_t place(const std::string& what) const {
    return std::ranges::find(order_, what) - order_.begin();
  }

  static constexpr int holding = 99;
  Tokenizer tokenizer_ = byte_tokenizer();
  Script script_;
  std::stop_source stop_, decodes_stop_;
  std::vector<std::string> order_;  // the device thread's, until the loop has ended
  std::function<void(const std::string&)> then_ = [](const auto&) {};
  std::promise<void> is_held_, may_go_on_;
  std::unique_ptr<DeviceLoop> loop_;
};

}  // namespace engine
