#include "engine/whisper/runner/device_loop.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <string>

#include "tests/engine/whisper/decoding/byte_tokenizer.h"
#include "tests/engine/whisper/model/toy_weights.h"

namespace engine {
namespace {

using protocol::WorkClass;

struct NamedAudio : EncodedAudio {
  explicit NamedAudio(int name) : name(name) {}
  int name;
};

struct NamedState : DecodeState {
  int name = 0;
  int rows = 0;
};

// Writes down what it is asked to do, in its order; every token is as likely as the others. A mel
// is the name of its window.
class RecordingModel : public Model {
 public:
  using Did = std::function<void(const std::string& what)>;

  explicit RecordingModel(Did did) : did_(std::move(did)), dims_(ToyWeights::dims()) {}

  const ModelDims& dims() const override { return dims_; }
  EncodedWindow encode(const at::Tensor& mel) override {
    const int name = mel.item<int>();
    did_("encode " + std::to_string(name));
    return std::make_shared<NamedAudio>(name);
  }
  std::unique_ptr<DecodeState> start(EncodedWindow window, int n_rows) override {
    auto state = std::make_unique<NamedState>();
    state->name = static_cast<const NamedAudio&>(*window).name;
    state->rows = n_rows;
    return state;
  }
  at::Tensor read_prompt(DecodeState& state, std::span<const int>,
                         std::span<const int> positions) override {
    did_("prompt " + std::to_string(static_cast<NamedState&>(state).name));
    return at::zeros({static_cast<std::int64_t>(positions.size()), dims_.n_vocab});
  }
  at::Tensor step(std::span<const DecodeStep> steps) override {
    std::string what = "step";
    std::int64_t rows = 0;
    for (const DecodeStep& step : steps) {
      what += " " + std::to_string(static_cast<NamedState&>(*step.state).name);
      rows += static_cast<NamedState&>(*step.state).rows;
    }
    did_(what);
    return at::zeros({rows, dims_.n_vocab});
  }
  TokenAttention attend(const EncodedWindow&, std::span<const int>, int,
                        std::span<const std::pair<int, int>>) override {
    return {};
  }

 private:
  Did did_;
  ModelDims dims_;
};

class DeviceLoopTest : public ::testing::Test {
 protected:
  void make(int windows = 0) {
    const auto load = [this]() -> Result<std::unique_ptr<Model>> {
      return std::unique_ptr<Model>(
          std::make_unique<RecordingModel>([this](const auto& what) { did(what); }));
    };
    loop_ = std::make_unique<DeviceLoop>(DeviceOptions{at::kCPU, 1}, load, windows);
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
    EncodeWork work{at::scalar_tensor(name), {}};
    auto answer = work.answer.get_future();
    loop_->submit({{work_class, windows}, stop_.get_token(), std::move(work)});
    return answer;
  }
  std::future<Result<DecodingResult>> decode(int name, WorkClass work_class, int steps) {
    DecodingOptions options;
    options.sample_len = steps;
    auto decoding = WindowDecoding::create(options, tokenizer_, ToyWeights::dims()).value();
    DecodeWork work{
        std::make_shared<NamedAudio>(name), std::move(decoding), {}, nullptr, false, {}};
    auto answer = work.answer.get_future();
    loop_->submit({{work_class, 0}, {}, std::move(work)});
    return answer;
  }

  // On the device thread.
  void did(const std::string& what) {
    order_.push_back(what);
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
  std::stop_source stop_;
  std::vector<std::string> order_;  // the device thread's, until the loop has ended
  std::function<void(const std::string&)> then_ = [](const auto&) {};
  std::promise<void> is_held_, may_go_on_;
  std::unique_ptr<DeviceLoop> loop_;
};

TEST_F(DeviceLoopTest, AClipGoesBeforeAllWindowsThatWaitForFiles) {
  make();
  auto held = hold_the_device();
  std::vector<std::future<Result<EncodedWindow>>> files;
  for (int name = 1; name < 6; ++name) files.push_back(encode(name, WorkClass::background));
  auto clip = encode(10, WorkClass::interactive);
  auto speaker = encode(11, WorkClass::live, 100);
  let_go();
  held.get().value();
  clip.get().value();
  speaker.get().value();
  for (auto& file : files) file.get().value();
  loop_.reset();
  EXPECT_EQ(order_.at(0), "encode 99");
  EXPECT_EQ(order_.at(1), "encode 11");
  EXPECT_EQ(order_.at(2), "encode 10");
}

TEST_F(DeviceLoopTest, DecodesOfFilesRestWhileAClipIsDecodedButHaveTheirShare) {
  make();
  auto held = hold_the_device();
  auto file = decode(1, WorkClass::background, 12);
  auto clip = decode(2, WorkClass::interactive, 40);
  let_go();
  clip.get().value();
  file.get().value();
  held.get().value();
  loop_.reset();
  const int alone = count("step 2");
  const int together = count("step 2 1");
  EXPECT_EQ(alone + together, 39) << "the prompt gives the first token";
  EXPECT_EQ(together, 4) << "one round in eight";
  EXPECT_EQ(count("step 1"), 11 - together) << "then it has the device for itself";
}

// A new clip comes whenever three steps were done, so that two are always under way.
TEST_F(DeviceLoopTest, FilesGetOnWhileOneClipFollowsTheOther) {
  make();
  constexpr int files = 9, most_clips = 1000, longest = 8;
  int steps = 0, file_steps = 0, clips = 0;
  std::vector<std::future<Result<DecodingResult>>> answers;
  const auto files_wait = [&] { return place("encode 9") == std::ssize(order_); };
  then_ = [&](const std::string& what) {
    if (what.ends_with(" 50")) ++file_steps;
    if (!what.starts_with("step") || ++steps % 3 != 0) return;
    if ((files_wait() || file_steps < 9) && clips < most_clips) {
      ++clips;
      answers.push_back(decode(100, WorkClass::interactive, 6));
    }
  };
  auto held = hold_the_device();
  std::vector<std::future<Result<EncodedWindow>>> encodes;
  for (int name = 1; name <= files; ++name) {
    encodes.push_back(encode(name, WorkClass::background));
  }
  auto decoded = decode(50, WorkClass::background, 10);
  auto first = decode(100, WorkClass::interactive, 6);
  let_go();
  for (auto& file : encodes) file.get().value();
  decoded.get().value();
  loop_.reset();
  EXPECT_LT(clips, most_clips) << "files had to wait for the end of the clips";
  int since = 0;
  for (const std::string& what : order_) {
    if (what.starts_with("step")) ++since;
    if (!what.starts_with("encode")) continue;
    EXPECT_LE(since, longest) << what;
    since = 0;
  }
}

TEST_F(DeviceLoopTest, NoMoreWindowsAreInMemoryThanItMayHold) {
  make(2);
  std::vector<std::future<Result<EncodedWindow>>> files;
  for (int name = 0; name < 4; ++name) files.push_back(encode(name, WorkClass::background));
  auto first = files[0].get().value();
  auto second = files[1].get().value();
  // Work that takes no window goes past that which waits for one.
  const auto waits = [&](int name) {
    decode(50, WorkClass::background, 1).get().value();
    const auto& file = files[static_cast<std::size_t>(name)];
    return file.wait_for(std::chrono::seconds(0)) == std::future_status::timeout;
  };
  EXPECT_TRUE(waits(2));
  encode(10, WorkClass::interactive).get().value();
  EXPECT_TRUE(waits(2)) << "the place of a clip is for clips";
  first.reset();
  const auto third = files[2].get().value();
  EXPECT_TRUE(waits(3));
  second.reset();
  files[3].get().value();
}

TEST_F(DeviceLoopTest, AStopRequestAlsoEndsWhatWaitsForAPlace) {
  make(1);
  const auto held = encode(0, WorkClass::background).get().value();
  auto waits = encode(1, WorkClass::background);
  stop_.request_stop();
  EXPECT_EQ(waits.get().error().code, Errc::cancelled);
}

TEST_F(DeviceLoopTest, WindowsMayOutliveIt) {
  make(1);
  auto window = encode(0, WorkClass::background).get().value();
  auto waits = encode(1, WorkClass::background);
  loop_.reset();
  EXPECT_EQ(waits.get().error().code, Errc::cancelled);
  window.reset();
}

}  // namespace
}  // namespace engine
