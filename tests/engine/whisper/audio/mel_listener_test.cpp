#include "engine/whisper/audio/mel_listener.h"

#include <gtest/gtest.h>

#include "tests/engine/whisper/audio/test_signal.h"

namespace engine {
namespace {

MelSpool empty_spool() {
  return MelSpool::create(80, testing::TempDir()).value();
}

TEST(MelListener, KeepsTheFramesOfTheWholeRecordingHoweverItComes) {
  const auto pcm = test_signal(10 * 16000 + 77);
  MelSpool expected = empty_spool();
  LogMel mel(80);
  ASSERT_TRUE(expected.append(mel.push(pcm)));
  ASSERT_TRUE(expected.append(mel.finish()));

  MelListener listener(80, empty_spool());
  for (std::span rest(pcm); !rest.empty();) {
    const auto piece = rest.first(std::min<std::size_t>(rest.size(), 12'345));
    ASSERT_TRUE(listener.push(piece));
    rest = rest.subspan(piece.size());
  }
  ASSERT_TRUE(listener.finish());
  EXPECT_EQ(listener.content_frames(), 1000);
  EXPECT_EQ(listener.spool().read_window(0, window_frames).value(),
            expected.read_window(0, window_frames).value());
}

}  // namespace
}  // namespace engine
