#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>
#include <utility>

#include "engine/speakers/evidence.h"
#include "engine/speakers/networks/load_speaker_networks.h"
#include "engine/speakers/networks/packed_speaker_networks.h"
#include "engine/speakers/networks/torch_speaker_networks.h"

namespace engine {
namespace {

namespace fs = std::filesystem;

// Returns what make_speaker_golden.py makes: a voice that rises and falls, with pauses.
std::vector<float> made_sound() {
  constexpr double pi = std::numbers::pi;
  std::vector<float> pcm;
  for (int n = 0; n < speaker_window; ++n) {
    const double t = static_cast<double>(n) / sample_rate_hz;
    const double pitch = 2 * pi * (120 * t + 8 * std::sin(2 * pi * 0.7 * t));
    double tone = 0;
    for (int k = 1; k < 25; ++k) tone += std::sin(k * pitch) / k;
    const double syllables = std::max(0.0, std::sin(2 * pi * 2.1 * t));
    const double phrase = std::fmod(t, 4) < 2.7 ? 1 : 0;
    pcm.push_back(static_cast<float>(0.1 * tone * syllables * phrase));
  }
  return pcm;
}

// The real networks, where `scribed models pull speakers` has put them.
class SpeakerGolden : public testing::Test {
 protected:
  void SetUp() override {
    const char* models = std::getenv("SCRIBED_MODELS");
    folder_ = (models ? fs::path(models) : fs::path(SCRIBED_SOURCE_DIR) / ".deps/data/models") /
              "speakers";
    if (!fs::exists(folder_ / embedding_file))
      GTEST_SKIP() << "the model speakers is not installed";
    golden_ = nlohmann::json::parse(
        std::ifstream(SCRIBED_SOURCE_DIR "/tests/engine/speakers/networks/speaker_golden.json"));
  }

  void expect_near(const at::Tensor& got, const char* name, double tolerance) {
    const auto expected = at::tensor(golden_.at(name).get<std::vector<float>>());
    ASSERT_EQ(got.numel(), expected.numel()) << name;
    EXPECT_LT((got.flatten() - expected).abs().max().item<double>(), tolerance) << name;
  }

  // scores [frames_per_window, 7]
  void expect_classes(const at::Tensor& scores) {
    ASSERT_EQ(scores.size(0), frames_per_window);
    expect_near(scores.slice(0, 0, frames_per_window, 60), "log_probabilities", 2e-3);
    const at::Tensor best = scores.argmax(-1);
    const auto expected = golden_.at("classes").get<std::string>();
    int different = 0;
    for (int i = 0; i < frames_per_window; ++i) {
      different += best[i].item<int>() != expected[static_cast<std::size_t>(i)] - '0' ? 1 : 0;
    }
    EXPECT_LE(different, 1);
  }

  fs::path folder_;
  nlohmann::json golden_;
  const std::vector<float> sound_ = made_sound();
  const at::Tensor pcm_ = at::tensor(sound_).unsqueeze(0);
};

TEST_F(SpeakerGolden, SegmentationIsThatOfPyTorch) {
  const NetworkFile file(folder_ / segmentation_file);
  const SegmentationWeights weights(NetworkTensors(file, at::kCPU));
  expect_classes(Segmentation(weights)(pcm_)[0]);
  at::Tensor scores = at::empty({frames_per_window, PackedSegmentation::classes});
  const PackedSegmentation packed(weights);
  packed(sound_.data(), 1, scores.data_ptr<float>());
  expect_classes(at::log_softmax(scores, -1));
}

TEST_F(SpeakerGolden, FilterBankIsThatOfKaldi) {
  const at::Tensor features = KaldiFbank(at::kCPU)(pcm_);
  const at::Tensor centred = (features - features.mean(1, true))[0];
  expect_near(centred.slice(0, 0, centred.size(0), 100).slice(1, 0, fbank_bins, 8), "fbank", 2e-3);
}

TEST_F(SpeakerGolden, EmbeddingsOfAPieceAndOfManySegmentsAreThoseOfPyTorch) {
  const NetworkFile file(folder_ / embedding_file);
  const CamPlus network(CamPlusWeights(NetworkTensors(file, at::kCPU)));
  const at::Tensor features = KaldiFbank(at::kCPU)(pcm_);
  const at::Tensor piece = features.narrow(1, 0, 148);
  expect_near(network(piece - piece.mean(1, true)), "piece", 5e-3);
  expect_near(network(features - features.mean(1, true)), "whole", 5e-3);
}

TEST_F(SpeakerGolden, PackedEmbeddingsAreAsNearToPyTorchAsTheirTypeAllows) {
  const NetworkFile file(folder_ / embedding_file);
  const CamPlusWeights weights(NetworkTensors(file, at::kCPU));
  const at::Tensor features = KaldiFbank(at::kCPU)(pcm_)[0].narrow(0, 0, piece_frames);
  const at::Tensor piece = (features - features.mean(0, true)).contiguous();
  const at::Tensor expected = at::tensor(golden_.at("piece").get<std::vector<float>>());
  for (const auto& [type, least] : {std::pair{ComputeType::float32, 0.999999},
                                    {ComputeType::bfloat16, 0.999},
                                    {ComputeType::int8, 0.99}}) {
    const PackedCamPlus network(type, weights);
    PackedCamPlus::Room room = network.room();
    at::Tensor found = at::empty({embedding_size});
    network(piece.const_data_ptr<float>(), room, found.data_ptr<float>());
    const double cosine = at::cosine_similarity(found, expected, 0).item<double>();
    RecordProperty(name(type), std::to_string(cosine));
    EXPECT_GT(cosine, least) << name(type);
  }
}

TEST_F(SpeakerGolden, BothNetworksTellTheSameForOneAndForMany) {
  const auto networks = load_speaker_networks(folder_, {}, ComputeType::float32);
  ASSERT_TRUE(networks) << networks.error().message;
  std::vector<float> twice = sound_;
  twice.insert(twice.end(), sound_.begin(), sound_.end());
  const auto one = (*networks)->segment(sound_);
  const auto two = (*networks)->segment(twice);
  ASSERT_EQ(two.size(), 2 * one.size());
  EXPECT_TRUE(std::equal(one.begin(), one.end(), two.begin() + frames_per_window));
  const auto embedding = (*networks)->embed(std::span(sound_).first(piece_samples));
  EXPECT_EQ(embedding.size(), 192U);
}

// The bytes are equal, so turns are.
TEST_F(SpeakerGolden, NothingHangsOnTheNumberOfThreadsOrOnTheBatch) {
  std::vector<float> windows = sound_;
  for (int i = 1; i < 8; ++i) {
    for (std::size_t n = 0; n < sound_.size(); ++n) {
      windows.push_back(sound_[(n + static_cast<std::size_t>(i) * 9973) % sound_.size()]);
    }
  }
  const std::span pieces = std::span(windows).first(std::size_t{20} * piece_samples);
  const std::span first = std::span(windows).first(piece_samples);
  const int before = at::get_num_threads();
  for (const auto type : {ComputeType::float32, ComputeType::bfloat16, ComputeType::int8}) {
    const auto networks = load_speaker_networks(folder_, {}, type);
    ASSERT_TRUE(networks) << networks.error().message;
    at::set_num_threads(1);
    const auto voices = (*networks)->segment(windows);
    const auto embeddings = (*networks)->embed(pieces);
    const auto alone = (*networks)->embed(first);
    at::set_num_threads(2);
    EXPECT_EQ((*networks)->segment(windows), voices) << name(type);
    EXPECT_EQ((*networks)->embed(pieces), embeddings) << name(type);
    EXPECT_TRUE(std::equal(alone.begin(), alone.end(), embeddings.begin())) << name(type);
  }
  at::set_num_threads(before);
}

TEST(SpeakerNetworks, SayWhichFileIsMissing) {
  const auto networks = load_speaker_networks("/nowhere", {}, ComputeType::float32);
  ASSERT_FALSE(networks);
  EXPECT_EQ(networks.error().code, Errc::not_found);
}

}  // namespace
}  // namespace engine
