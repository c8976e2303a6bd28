#include "engine/media/silent_tracks.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/engine/media/mp4_bytes.h"

namespace engine::media {
namespace {

// Returns what is told of twelve tracks of which one is loud.
std::string told(int loud_track) {
  const auto outcome =
      media_test::run(media_test::bytes_of({.tracks = 12, .sample = 0, .loud_track = loud_track}));
  EXPECT_TRUE(outcome.finished);
  return outcome.report;
}

TEST(SilentTracks, AreLookedForAmongEight) {
  const auto has = [](const std::string& report, const char* words) {
    return report.find(words) != std::string::npos;
  };
  EXPECT_FALSE(has(told(1), "silent"));
  EXPECT_TRUE(has(told(8), "Transcribed: 8"));
  EXPECT_TRUE(has(told(8), "Audio track 7 is silent. Another one was transcribed."));
  EXPECT_TRUE(has(told(9), "Transcribed: 1 "));
  EXPECT_TRUE(has(told(9), "The audio track that was transcribed is silent."));
}

}  // namespace
}  // namespace engine::media
