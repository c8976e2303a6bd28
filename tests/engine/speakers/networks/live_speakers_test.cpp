#include "engine/speakers/live_speakers.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "engine/speakers/networks/load_speaker_networks.h"
#include "engine/speakers/speaker_files.h"
#include "tests/engine/read_wav.h"

namespace engine {
namespace {

namespace fs = std::filesystem;

fs::path folder_by(const char* variable, const char* otherwise) {
  const char* given = std::getenv(variable);
  return given ? fs::path(given) : fs::path(SCRIBED_SOURCE_DIR) / otherwise;
}

// The real networks, and recordings of one professional voice in each language.
TEST(LiveSpeakersOfRecordings, AreWhoTheyAre) {
  const fs::path model = folder_by("SCRIBED_MODELS", ".deps/data/models") / "speakers";
  const fs::path recordings = folder_by("SCRIBED_RECORDINGS", ".deps/recordings");
  if (!fs::exists(model / embedding_file)) GTEST_SKIP() << "the model speakers is not installed";
  if (!fs::exists(recordings)) GTEST_SKIP() << "no recordings: run scripts/setup --tests";
  auto networks = load_speaker_networks(model, {}, ComputeType::float32);
  ASSERT_TRUE(networks) << networks.error().message;
  LiveSpeakers speakers(*std::move(networks), {});
  std::string said;
  for (const char* turn : {"en-nogo.wav", "ru-nogo.wav", "en-allbusy.wav", "ru-congrats.wav"}) {
    said += speakers.speaker_of(read_wav(recordings / turn));
  }
  EXPECT_EQ(said, "ABAB");
}

}  // namespace
}  // namespace engine
