#include "engine/whisper/transcriber/live_place.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <optional>
#include <thread>

#include "tests/engine/whisper/transcriber/scripted_live.h"

namespace engine {
namespace {

using std::chrono::seconds;

class LivePlaceTest : public LiveTest {
 protected:
  // Returns true when somebody waits for a place, and false when `session` has ended without.
  template <class T>
  bool waits(const std::future<T>& session) {
    while (session.wait_for(seconds(0)) != std::future_status::ready) {
      if (runner_->passes().waiting() > 0) return true;
      std::this_thread::yield();
    }
    return false;
  }
  std::optional<PassQueue::Place> taken_by_somebody() {
    return runner_->passes().enter(0xb0b, false, {});
  }
};

TEST_F(LivePlaceTest, IsWaitedForOnceForEachPass) {
  const std::stop_token stop;
  LivePlace place(*runner_, stop);
  place.wait(false);
  EXPECT_GE(place.enter(true), 0) << "it has its place";
  EXPECT_EQ(place.enter(true), 0);
  auto other = std::async(std::launch::async, [&] { return taken_by_somebody().has_value(); });
  EXPECT_TRUE(waits(other));
  place.leave();
  EXPECT_TRUE(other.get());
}

TEST_F(LivePlaceTest, ASessionThatIsAheadNeedsNone) {
  auto theirs = taken_by_somebody();
  const std::stop_token stop;
  LivePlace place(*runner_, stop);
  runner_->set_ahead(true);
  auto entered = std::async(std::launch::async, [&] { return place.enter(false); });
  EXPECT_FALSE(waits(entered));
  theirs.reset();
  EXPECT_EQ(entered.get(), 0);
}

// Sound that comes with the end of its turn is not the first piece of a session that has fallen
// behind.
TEST_F(LivePlaceTest, ThePassThatEndsATurnWaitsForOneAsWell) {
  auto theirs = taken_by_somebody();
  source_.begin();
  source_.speech(0.5);
  source_.end();
  source_.finish();
  auto session = std::async(std::launch::async, [&] { return transcribe().has_value(); });
  EXPECT_TRUE(waits(session));
  theirs.reset();
  EXPECT_TRUE(session.get());
  EXPECT_EQ(turns_.size(), 1u);
}

TEST_F(LivePlaceTest, SoundThatIsAheadIsHeardWithoutOne) {
  auto theirs = taken_by_somebody();
  source_.set_ahead();
  source_.turn(2);
  source_.finish();
  auto session = std::async(std::launch::async, [&] { return transcribe().has_value(); });
  EXPECT_FALSE(waits(session));
  theirs.reset();
  EXPECT_TRUE(session.get());
  EXPECT_EQ(turns_.size(), 1u);
}

}  // namespace
}  // namespace engine
