#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "engine/vad/silero_vad.h"
#include "tests/engine/read_wav.h"
#include "tests/engine/vad/golden.h"

namespace engine {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const char* variable, const char* otherwise) {
  const char* given = std::getenv(variable);
  return given ? fs::path(given) : fs::path(SCRIBED_SOURCE_DIR) / otherwise;
}

// The real network, which scripts/test installs, and the recordings of tests/recordings.
TEST(SileroGolden, RecordingsSoundAsToSilero) {
  const fs::path recordings = folder_of("SCRIBED_RECORDINGS", ".deps/recordings");
  const fs::path file =
      folder_of("SCRIBED_MODELS", ".deps/data/models") / "silero-vad" / "silero_vad_16k_op15.onnx";
  if (!fs::exists(file)) GTEST_SKIP() << "the model silero-vad is not installed";
  if (!fs::exists(recordings)) GTEST_SKIP() << "no recordings: run scripts/setup --tests";
  auto weights = load_silero(file);
  ASSERT_TRUE(weights) << weights.error().message;
  SileroVad vad(std::make_shared<const SileroWeights>(std::move(*weights)));
  const auto golden = vad_golden();
  for (const auto& recording : golden.at("recordings")) {
    const auto name = recording.at("file").get<std::string>();
    const auto pcm = read_wav(recordings / name);
    ASSERT_EQ(pcm.size(), recording.at("samples")) << name;
    std::vector<float> got;
    vad.push(pcm, got);
    vad.finish(got);
    const auto expected = recording.at("probabilities").get<std::vector<double>>();
    ASSERT_EQ(got.size(), expected.size()) << name;
    for (std::size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], expected[i], 1e-4) << name;
    for (std::size_t i = 0; i < golden.at("options").size(); ++i) {
      const auto options = golden_options(golden.at("options")[i]);
      EXPECT_EQ(segment(options, got, recording.at("samples")),
                golden_regions(recording.at("regions")[i]))
          << name << ' ' << golden.at("options")[i];
    }
  }
}

}  // namespace
}  // namespace engine
