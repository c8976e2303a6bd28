#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "engine/vad/silero_vad.h"
#include "tests/engine/vad/golden.h"

namespace engine {
namespace {

namespace fs = std::filesystem;

// The samples of a WAV file of 16 bits, mono; the header is not checked.
std::vector<float> read_wav(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), {});
  const auto number = [&](std::size_t at) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return std::size_t{value};
  };
  std::size_t chunk = 12;
  while (bytes.compare(chunk, 4, "data") != 0) chunk += 8 + number(chunk + 4);
  std::vector<std::int16_t> samples(std::min(number(chunk + 4), bytes.size() - chunk - 8) / 2);
  std::memcpy(samples.data(), bytes.data() + chunk + 8, samples.size() * 2);
  std::vector<float> pcm;
  for (const auto sample : samples) pcm.push_back(static_cast<float>(sample) / 32768);
  return pcm;
}

// The real network and recordings, which are not part of the sources.
TEST(SileroGolden, RecordingsSoundAsToSilero) {
  const char* shared = std::getenv("SCRIBED_SHARED");
  const fs::path folder = shared ? fs::path(shared) : fs::path(SCRIBED_SOURCE_DIR) / "../shared";
  const fs::path file = folder / "models/silero_vad_16k_op15.onnx";
  if (!fs::exists(file) || !fs::exists(folder / "audio")) GTEST_SKIP() << "no network here";
  auto weights = load_silero(file);
  ASSERT_TRUE(weights) << weights.error().message;
  SileroVad vad(std::make_shared<const SileroWeights>(std::move(*weights)));
  const auto golden = vad_golden();
  for (const auto& recording : golden.at("recordings")) {
    const auto name = recording.at("file").get<std::string>();
    const auto pcm = read_wav(folder / "audio" / name);
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
