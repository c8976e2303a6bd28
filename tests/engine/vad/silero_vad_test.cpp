#include "engine/vad/silero_vad.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <limits>
#include <string>

#include "engine/vad/speech_listener.h"
#include "tests/engine/vad/toy_network.h"

namespace engine {
namespace {

namespace fs = std::filesystem;

class ToySilero : public testing::Test {
 protected:
  void SetUp() override {
    if (!Dense::runs_here()) GTEST_SKIP() << "needs AVX2";
    tensors_ = toy::silero_tensors();
    file_ = fs::temp_directory_path() / ("scribed_toy_vad_" + std::to_string(::getpid()) + ".onnx");
    toy::write_silero(file_, tensors_);
  }

  void TearDown() override {
    std::error_code ignored;
    fs::remove(file_, ignored);
  }

  SileroVad make() const {
    return SileroVad(std::make_shared<const SileroWeights>(load_silero(file_).value()));
  }

  // Pushes the recording in pieces of `piece` samples.
  static std::vector<float> listen(SileroVad& vad, std::span<const float> pcm, std::size_t piece) {
    std::vector<float> probabilities;
    for (; !pcm.empty(); pcm = pcm.subspan(std::min(piece, pcm.size()))) {
      vad.push(pcm.first(std::min(piece, pcm.size())), probabilities);
    }
    vad.finish(probabilities);
    return probabilities;
  }

  toy::Tensors tensors_;
  fs::path file_;
};

std::vector<float> chirp(std::size_t samples) {
  std::vector<float> pcm(samples);
  for (std::size_t i = 0; i < samples; ++i) {
    const auto t = static_cast<double>(i) / 16000;
    pcm[i] = static_cast<float>(0.5 * std::sin(900 * t * (1 + t)) * std::sin(7 * t));
  }
  return pcm;
}

TEST_F(ToySilero, AsAListenerKeepsTheSameProbabilities) {
  const auto pcm = chirp(20 * 512 + 300);
  SpeechListener listener(std::make_shared<const SileroWeights>(load_silero(file_).value()));
  ASSERT_TRUE(listener.push(std::span(pcm).first(5000)));
  ASSERT_TRUE(listener.push(std::span(pcm).subspan(5000)));
  ASSERT_TRUE(listener.finish());
  SileroVad vad = make();
  EXPECT_EQ(listener.probabilities(), listen(vad, pcm, 5000));
}

TEST_F(ToySilero, ListensNoMoreWhenEnoughSpeechWasHeard) {
  const auto weights = std::make_shared<const SileroWeights>(load_silero(file_).value());
  const auto pcm = chirp(1000 * SileroVad::chunk_samples);
  SpeechListener whole(weights);
  ASSERT_TRUE(whole.push(pcm));
  ASSERT_TRUE(whole.finish());
  EXPECT_FALSE(whole.has_heard_enough());
  const auto speech =
      std::ranges::count_if(whole.probabilities(), [](float p) { return p >= 0.5F; });
  ASSERT_GT(speech, 0);  // else it would prove nothing
  SpeechListener first(weights, 1);
  ASSERT_TRUE(first.push(pcm));
  ASSERT_TRUE(first.finish());
  EXPECT_TRUE(first.has_heard_enough());
  const auto& heard = first.probabilities();
  ASSERT_LT(heard.size(), whole.probabilities().size());
  EXPECT_TRUE(std::ranges::equal(heard, std::span(whole.probabilities()).first(heard.size())));
}

TEST_F(ToySilero, SaysWhatTheNetworkDescribes) {
  const auto pcm = chirp(20 * 512 + 300);
  const auto expected = toy::silero_probabilities(tensors_, pcm);
  SileroVad vad = make();
  const auto got = listen(vad, pcm, pcm.size());
  ASSERT_EQ(got.size(), expected.size());
  const auto [low, high] = std::minmax_element(expected.begin(), expected.end());
  EXPECT_GT(*high - *low, 0.01);  // else it would prove nothing
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], expected[i], 2e-5) << i;
}

TEST_F(ToySilero, PiecesOfAnySizeSayTheSame) {
  const auto pcm = chirp(35 * 512 + 1);
  SileroVad vad = make();
  const auto whole = listen(vad, pcm, pcm.size());
  for (const std::size_t piece : {1, 63, 511, 512, 513, 8192, 9000}) {
    const auto got = listen(vad, pcm, piece);
    ASSERT_EQ(got.size(), whole.size()) << piece;
    for (std::size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], whole[i], 1e-5) << piece;
  }
}

TEST_F(ToySilero, SaysNothingOfNothingAndAChunkWhenItIsFull) {
  const auto pcm = chirp(512);
  SileroVad vad = make();
  std::vector<float> probabilities;
  vad.finish(probabilities);
  vad.push({}, probabilities);
  vad.push({pcm.data(), 511}, probabilities);
  EXPECT_TRUE(probabilities.empty());
  vad.push({pcm.data() + 511, 1}, probabilities);
  EXPECT_EQ(probabilities.size(), 1u);
  vad.finish(probabilities);
  EXPECT_EQ(probabilities.size(), 1u);
}

TEST_F(ToySilero, ForgetsTheRecordingAtItsEnd) {
  const auto pcm = chirp(3000);
  SileroVad vad = make();
  const auto first = listen(vad, pcm, pcm.size());
  EXPECT_EQ(listen(vad, pcm, pcm.size()), first);
}

TEST_F(ToySilero, RecoversFromSamplesThatAreNoNumbers) {
  auto pcm = chirp(40 * 512);
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 1e30f}) {
    pcm[700] = bad;
    SileroVad vad = make();
    const auto got = listen(vad, pcm, pcm.size());
    const auto expected = toy::silero_probabilities(tensors_, chirp(pcm.size()));
    for (const float p : got) EXPECT_TRUE(p >= 0 && p <= 1);
    EXPECT_NEAR(got.back(), expected.back(), 1e-3);
  }
}

TEST_F(ToySilero, FilesThatAreNoNetworkAreRefused) {
  EXPECT_EQ(load_silero(file_ / "none").error().code, Errc::not_found);
  toy::write_silero(file_, tensors_, "model.decoder.rnn.bias_hh");
  auto result = load_silero(file_);
  EXPECT_EQ(result.error().code, Errc::damaged_model);
  EXPECT_NE(result.error().message.find("model.decoder.rnn.bias_hh: is missing"),
            std::string::npos);
  EXPECT_NE(result.error().message.find(file_.string()), std::string::npos);
  fs::resize_file(file_, 1000);
  EXPECT_EQ(load_silero(file_).error().code, Errc::damaged_model);
}

}  // namespace
}  // namespace engine
