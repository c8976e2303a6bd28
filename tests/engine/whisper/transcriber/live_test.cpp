#include "engine/whisper/transcriber/live.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "engine/whisper/model/torch_model.h"
#include "tests/engine/whisper/decoding/byte_tokenizer.h"
#include "tests/engine/whisper/model/toy_weights.h"

namespace engine {
namespace {

constexpr std::size_t second = 16'000;

// A model that has learned nothing says nothing of meaning, but takes sound in and hands words out
// as any other.
class LiveTest : public testing::Test {
 protected:
  LiveTest() {
    at::manual_seed(7);
    options_.language = "en";
    options_.temperatures = {0};
    options_.compression_ratio_threshold.reset();
    options_.logprob_threshold.reset();
    options_.no_speech_threshold.reset();
    options_.live_chunk = 1;
    options_.sample_len = 12;
  }

  void take(const TranscriptEvent& event) {
    if (const auto* found = std::get_if<protocol::LanguageDetected>(&event)) {
      language_ = found->language;
      ++languages_;
    } else if (const auto* segment = std::get_if<Segment>(&event)) {
      EXPECT_EQ(segment->id, static_cast<int>(segments_.size()));
      segments_.push_back(*segment);
      open_.clear();
    } else if (const auto* live = std::get_if<protocol::LiveText>(&event)) {
      EXPECT_TRUE(live->text.starts_with(open_)) << live->text << " after " << open_;
      open_ = live->text;
      tail_ = live->tail;
      passes_.push_back(live->heard_s);
    }
  }

  // Sound that is there at once; what is asked for is noted.
  ReadSound sound(double seconds) {
    left_ = static_cast<std::size_t>(seconds * second);
    return [this](std::span<float> samples, std::size_t least) -> Result<std::size_t> {
      EXPECT_GE(samples.size(), least);
      most_asked_ = std::max(most_asked_, samples.size());
      const std::size_t count = std::min(samples.size(), left_);
      const at::Tensor noise = at::randn({static_cast<std::int64_t>(count)}) * 0.1;
      std::copy_n(noise.const_data_ptr<float>(), count, samples.begin());
      left_ -= count;
      return count;
    };
  }
  Result<Recognized> transcribe(double seconds) {
    return transcribe_live(*runner_, tokenizer_, sound(seconds), options_, sink_,
                           stop_.get_token());
  }

  ToyWeights toy_;
  Tokenizer tokenizer_ = byte_tokenizer();
  std::unique_ptr<Runner> runner_ = Runner::start({at::kCPU, 1}, [this] {
                                      return load_torch_model(toy_.weights(), Placement{});
                                    }).value();
  TranscriptionOptions options_;
  const TranscriptSink sink_ = [this](const TranscriptEvent& event) { take(event); };
  std::stop_source stop_;
  std::size_t left_ = 0;
  std::size_t most_asked_ = 0;
  std::string language_, open_, tail_;
  int languages_ = 0;  // that it was told of
  std::vector<Segment> segments_;
  std::vector<double> passes_;
};

TEST_F(LiveTest, DecidesEverythingAtTheEnd) {
  const Recognized result = transcribe(3.5).value();
  EXPECT_EQ(result.language, "en");
  EXPECT_DOUBLE_EQ(result.duration_s, 3.5);
  EXPECT_EQ(left_, 0u);
  EXPECT_FALSE(segments_.empty());
  EXPECT_EQ(open_, "");
  EXPECT_EQ(tail_, "");
  EXPECT_DOUBLE_EQ(passes_.back(), 3.5);
}

TEST_F(LiveTest, NeverHoldsMoreThanAWindow) {
  const Recognized result = transcribe(95).value();
  EXPECT_DOUBLE_EQ(result.duration_s, 95);
  EXPECT_LE(most_asked_, 10 * second);
  EXPECT_GE(passes_.size(), 10u);
  EXPECT_LE(passes_.size(), 40u);
}

TEST_F(LiveTest, SegmentsFollowEachOther) {
  transcribe(40).value();
  for (std::size_t i = 1; i < segments_.size(); ++i) {
    EXPECT_GE(segments_[i].end, segments_[i - 1].end) << i;
  }
}

TEST_F(LiveTest, WordsHaveTimesWhereTheyAreAskedFor) {
  transcribe(2).value();
  ASSERT_FALSE(segments_.empty());
  EXPECT_TRUE(segments_[0].words.empty());
  segments_.clear();
  options_.word_timestamps = true;
  transcribe(2).value();
  ASSERT_FALSE(segments_.empty());
  EXPECT_FALSE(segments_[0].words.empty());
}

TEST_F(LiveTest, OfNoSoundSaysNothing) {
  options_.language.clear();
  const Recognized result = transcribe(0).value();
  EXPECT_DOUBLE_EQ(result.duration_s, 0);
  EXPECT_TRUE(segments_.empty());
  EXPECT_EQ(language_, "");
  EXPECT_EQ(transcribe(0.005).value().duration_s, 0.005);
}

TEST_F(LiveTest, SettlesTheLanguageOnce) {
  options_.language.clear();
  const Recognized result = transcribe(12).value();
  EXPECT_EQ(languages_, 1);
  EXPECT_EQ(result.language, language_);
}

TEST_F(LiveTest, EndsWithWhatEndsItsSound) {
  const ReadSound broken = [](std::span<float>, std::size_t) -> Result<std::size_t> {
    return Error{Errc::input_failed, "gone", ""};
  };
  const auto result =
      transcribe_live(*runner_, tokenizer_, broken, options_, sink_, stop_.get_token());
  EXPECT_EQ(result.error().code, Errc::input_failed);
}

TEST_F(LiveTest, StopsWithinAPass) {
  stop_.request_stop();
  EXPECT_EQ(transcribe(5).error().code, Errc::cancelled);
}

}  // namespace
}  // namespace engine
