#include <algorithm>
#include <string>

#include "tests/server/live/driver_fixture.h"
#include "tests/server/live/wav_stream.h"

// Connections whose clients stream a file format.
namespace server {
namespace {

using test::sound_of;
using test::wav_stream;

class EncodedStreams : public test::DriverFixture {
 protected:
  std::shared_ptr<AdapterDriver> opened() {
    auto driver = connect(std::nullopt);
    driver->receive_text("open");
    return driver;
  }
};

TEST_F(EncodedStreams, AreHeardToTheirEnd) {
  const auto driver = opened();
  driver->receive_bytes(wav_stream(sound_of(1)));
  driver->receive_bytes(sound_of(1));
  driver->receive_text("finish");
  EXPECT_EQ(wait_for(*driver, "turn"), "turn 1 0.0-2.0 w1 w2");
  EXPECT_EQ(wait_for(*driver, "end"), "end");
  let_all_end();
  ASSERT_EQ(ended.size(), 1U);
  EXPECT_DOUBLE_EQ(ended.front().sound_s, 2);
}

TEST_F(EncodedStreams, ACommitHoldsForTheBytesBeforeIt) {
  const auto driver = opened();
  driver->receive_bytes(wav_stream(sound_of(4)));
  driver->receive_text("commit");
  EXPECT_EQ(wait_for(*driver, "turn"), "turn 1 0.0-4.0 w1 w2 w3 w4");
  driver->receive_bytes(sound_of(1));
  driver->receive_text("finish");
  EXPECT_TRUE(wait_for(*driver, "turn").starts_with("turn 2 4.0-5.0 w1"));
}

TEST_F(EncodedStreams, EndWithoutAudio) {
  const auto driver = opened();
  driver->receive_text("finish");
  EXPECT_EQ(wait_for(*driver, "end"), "end");
}

TEST_F(EncodedStreams, ThatCannotBeDecodedEndTheConnection) {
  const auto driver = opened();
  driver->receive_bytes(std::string(50'000, 'x'));
  driver->receive_text("finish");
  EXPECT_EQ(wait_for(*driver, "undecodable"), "undecodable unsupported_format");
  EXPECT_EQ(wait_for(*driver, "nothing"), "");
  EXPECT_EQ(driver->outbox().closing().code, 4001);
}

TEST_F(EncodedStreams, ManyCommitsBeforeAnyAudioAreOne) {
  const auto driver = opened();
  driver->receive_bytes(wav_stream(sound_of(4)));
  for (int i = 0; i < 50; ++i) driver->receive_text("commit");
  EXPECT_EQ(wait_for(*driver, "turn"), "turn 1 0.0-4.0 w1 w2 w3 w4");
  driver->receive_text("finish");
  EXPECT_EQ(wait_for(*driver, "end"), "end");
  EXPECT_LE(std::ranges::count_if(frames, [](const auto& one) { return one.starts_with("turn"); }),
            2)
      << "the end may have another one";
}

TEST_F(EncodedStreams, BytesThatBecomeNoAudioAllowNoFurtherCommits) {
  const auto driver = opened();
  driver->receive_bytes("ID3");
  for (int i = 0; i <= AdapterDriver::most_wishes; ++i) {
    driver->receive_text("commit");
    driver->receive_bytes("x");
  }
  EXPECT_EQ(wait_for(*driver, "nothing"), "");
  EXPECT_EQ(driver->outbox().closing().code, 1008);
}

// The bytes of a frame may be days of audio.
TEST_F(EncodedStreams, EndWithTheServerAlsoWhereMuchIsNotDecoded) {
  const auto driver = opened();
  driver->receive_bytes(wav_stream(sound_of(200, false)));
  EXPECT_TRUE(driver->is_streaming());
  driver->shut_down();
  EXPECT_EQ(wait_for(*driver, "nothing"), "");
  EXPECT_FALSE(driver->is_streaming());
  EXPECT_EQ(driver->outbox().closing().code, 1001);
  let_all_end();
}

TEST_F(EncodedStreams, EndWithTheOwnersSecondsOfTheDay) {
  jobs.set_limits({.of_owner = {{"ada", {.sound_seconds_per_day = 2}}}});
  const auto driver = opened();
  driver->receive_bytes(wav_stream(sound_of(200)));
  EXPECT_EQ(wait_for(*driver, "limit"), "limit too_much_sound");
  EXPECT_FALSE(driver->is_streaming()) << "its decoder has ended";
  EXPECT_TRUE(wait_for(*driver, "turn").starts_with("turn 1 0.0-2.0"));
  EXPECT_EQ(wait_for(*driver, "nothing"), "");
  EXPECT_EQ(driver->outbox().closing().code, 1008);
}

TEST_F(EncodedStreams, EndWithTheServer) {
  const auto driver = opened();
  driver->receive_bytes(wav_stream(sound_of(2)));
  driver->shut_down();
  EXPECT_EQ(wait_for(*driver, "turn"), "turn 1 0.0-2.0 w1 w2");
  EXPECT_EQ(wait_for(*driver, "nothing"), "");
  EXPECT_EQ(driver->outbox().closing().code, 1001);
}

TEST_F(EncodedStreams, EndWithTheirClient) {
  auto driver = opened();
  driver->receive_bytes(wav_stream(sound_of(4)));
  EXPECT_EQ(wait_for(*driver, "started"), "started 1 0.0");
  driver.reset();
  let_all_end();
}

}  // namespace
}  // namespace server
