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
