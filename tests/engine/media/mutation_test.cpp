#include <gtest/gtest.h>

#include <random>

#include "tests/engine/media/media_bytes.h"

namespace engine::media {
namespace {

// A short, always equal walk through damaged files; the fuzzer goes further.
TEST(DamagedMedia, EndsInSoundOrAnErrorWithAMessage) {
  const std::string whole = media_test::wav(media_test::ramp(2000), 22050, 2);
  std::mt19937 random(7);
  Options options;
  options.max_seconds = 30;
  for (int round = 0; round < 300; ++round) {
    std::string bytes = whole.substr(0, 1 + random() % whole.size());
    for (unsigned hits = 0; hits < 1 + random() % 8; ++hits) {
      bytes[random() % std::min<std::size_t>(bytes.size(), 64)] = static_cast<char>(random());
    }
    const auto outcome = media_test::run(bytes, options);
    if (!outcome.finished) {
      EXPECT_FALSE(outcome.finished.error().message.empty());
      EXPECT_NE(outcome.finished.error().code, Errc::internal) << outcome.finished.error().message;
    }
  }
}

}  // namespace
}  // namespace engine::media
