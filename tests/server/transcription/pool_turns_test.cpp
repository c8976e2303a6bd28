#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/base/race.h"
#include "tests/server/transcription/pool_fixture.h"

namespace server {
namespace {

using protocol::WorkClass;
using std::chrono::milliseconds;

class PoolTurnsTest : public test::PoolTest {
 protected:
  PoolTurnsTest() {
    settings_.turns.turn = milliseconds(0);
    settings_.look = milliseconds(100);
  }

  // One live session, whose sound goes on. It must not move.
  struct Session {
    platform::UniqueFd sound{};
    std::optional<test::Started<Result<void>>> call{};
  };

  void TearDown() override {
    for (auto& session : sessions_) {
      session.call->cancel();
      test::run_until(io_, [&] { return session.call->ended(); });
    }
    PoolTest::TearDown();
  }

  // Has the calls that begin from now on give way when `is_ready_`.
  void let_calls_give_way() {
    give_way_ = {.is_ready = [this] { return is_ready_; }, .begin = [this] { ++asked_; }};
  }

  Session& listen(const std::string& model) {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    Session& session = sessions_.emplace_back();
    session.sound = platform::UniqueFd(ends[1]);
    LiveSound sound{.job = "live" + std::to_string(sessions_.size()),
                    .pcm = platform::UniqueFd(ends[0])};
    session.call.emplace(io_, pool().listen(model, std::move(sound), [](const auto&) {}));
    test::run(io_, sleep_for(milliseconds(20)));
    return session;
  }

  std::string error_of_session(Session& session) {
    test::run_until(io_, [&] { return session.call->ended(); });
    const auto& result = session.call->value();
    return result ? "" : result.error().code;
  }

  std::list<Session> sessions_{};
  bool is_ready_ = true;
  int asked_ = 0;
};

TEST_F(PoolTurnsTest, AskOnceForThePlaceThatSomebodyNeeds) {
  let_calls_give_way();
  auto& file = begin("a", "", WorkClass::background);
  auto& clip = talk("b", 6);
  test::run_until(io_, [&] { return asked_ > 0; });
  test::run(io_, sleep_for(milliseconds(400)));
  EXPECT_EQ(asked_, 1);
  EXPECT_FALSE(clip.call->ended());
  cancel(file);
  EXPECT_EQ(error_of(clip), "");
}

TEST_F(PoolTurnsTest, LetNobodyElseInWhileTheyEnd) {
  let_calls_give_way();
  auto& file = begin("a", "", WorkClass::background);
  auto& clip = talk("b", 6);
  test::run_until(io_, [&] { return asked_ > 0; });
  auto& late = talk("a", 6);
  cancel(file);
  EXPECT_EQ(error_of(clip), "");
  EXPECT_EQ(error_of(late), "");
  EXPECT_EQ(loads_, (std::vector<std::string>{"a", "b", "a"}));
}

TEST_F(PoolTurnsTest, WaitUntilAllCallsOfTheModelAreReady) {
  is_ready_ = false;
  let_calls_give_way();
  auto& file = begin("a", "", WorkClass::background);
  talk("b", 6);
  test::run(io_, sleep_for(milliseconds(400)));
  EXPECT_EQ(asked_, 0);
  is_ready_ = true;
  test::run_until(io_, [&] { return asked_ > 0; });
  cancel(file);
}

TEST_F(PoolTurnsTest, EndCallsThatAreNotReadyWhenTheyAreLate) {
  settings_.turns.late = milliseconds(200);
  is_ready_ = false;
  let_calls_give_way();
  auto& file = begin("a", "", WorkClass::background);
  auto& clip = talk("b", 6);
  test::run_until(io_, [&] { return asked_ > 0; });
  cancel(file);
  EXPECT_EQ(error_of(clip), "");
}

TEST_F(PoolTurnsTest, AskNobodyWhoseModelAnotherCallKeeps) {
  let_calls_give_way();
  auto& file = begin("a", "", WorkClass::background);
  give_way_ = {};
  auto& kept = begin("a");
  auto& clip = talk("b", 6);
  test::run(io_, sleep_for(milliseconds(400)));
  EXPECT_EQ(asked_, 0);
  kept.sound.reset();
  EXPECT_EQ(error_of(kept), "");
  test::run_until(io_, [&] { return asked_ > 0; });
  cancel(file);
  EXPECT_EQ(error_of(clip), "");
}

// A stream of clips would keep the model for ever, since each of them has just begun.
TEST_F(PoolTurnsTest, LetNobodyJoinWhenTheirTurnIsOver) {
  let_calls_give_way();
  auto& file = begin("a", "", WorkClass::background);
  give_way_.is_ready = [] { return false; };
  auto& first_clip = begin("a");
  auto& waits = talk("b", 6);
  test::run(io_, sleep_for(milliseconds(400)));
  auto& clip = talk("a", 6);
  test::run(io_, sleep_for(milliseconds(400)));
  EXPECT_FALSE(clip.call->ended());
  EXPECT_EQ(asked_, 0) << "the first clip has just begun";
  cancel(waits);
  EXPECT_EQ(error_of(clip), "") << "nobody waits for the place any more";
  file.sound.reset();
  first_clip.sound.reset();
  EXPECT_EQ(error_of(file), "");
}

// The place is not free before the file gets further, whoever joins it.
TEST_F(PoolTurnsTest, LetClientsJoinAFileThatGetsNoFurther) {
  is_ready_ = false;
  let_calls_give_way();
  auto& file = begin("a", "", WorkClass::background);
  auto& waits = talk("b", 6);
  test::run(io_, sleep_for(milliseconds(400)));
  EXPECT_EQ(error_of(talk("a", 6)), "");
  EXPECT_FALSE(waits.call->ended());
  file.sound.reset();
  EXPECT_EQ(error_of(waits), "");
}

// The place is not free before the session ends, whoever joins it.
TEST_F(PoolTurnsTest, LetEverybodyJoinALiveSession) {
  auto& session = listen("a");
  auto& waits = talk("b", 6, "", {}, WorkClass::background);
  EXPECT_EQ(error_of(talk("a", 6, "", {}, WorkClass::background)), "");
  EXPECT_FALSE(waits.call->ended());
  session.call->cancel();
  EXPECT_EQ(error_of(waits), "");
}

TEST_F(PoolTurnsTest, RefuseAClientWhoseModelHasNoPlaceBesideLiveSessions) {
  listen("a");
  auto& refused = talk("b", 6);
  EXPECT_EQ(error_of(refused), errc::overloaded);
  const Error error = refused.call->value().error();
  EXPECT_NE(error.message.find("sessions of a use every model slot"), std::string::npos)
      << error.message;
  EXPECT_NE(error.fix.find("Use a,"), std::string::npos) << error.fix;
}

TEST_F(PoolTurnsTest, RefuseAClientThatWaitsAlreadyWhenALiveSessionTakesThePlace) {
  auto& file = begin("a", "", WorkClass::background);
  auto& waits = talk("b", 6);
  listen("a");
  EXPECT_EQ(error_of(waits), errc::overloaded);
  file.sound.reset();
  EXPECT_EQ(error_of(file), "");
}

TEST_F(PoolTurnsTest, LetAClientWaitForALiveSessionThatMayBeShort) {
  settings_.turns.turn = std::chrono::hours(1);
  auto& session = listen("a");
  auto& waits = talk("b", 6);
  test::run(io_, sleep_for(milliseconds(400)));
  EXPECT_FALSE(waits.call->ended());
  session.call->cancel();
  EXPECT_EQ(error_of(waits), "");
}

TEST_F(PoolTurnsTest, RefuseNobodyWhoCanWaitForARecording) {
  settings_.max_loaded = 2;
  listen("a");
  auto& recording = begin("b");
  auto& waits = talk("c", 6);
  test::run(io_, sleep_for(milliseconds(400)));
  EXPECT_FALSE(waits.call->ended());
  recording.sound.reset();
  EXPECT_EQ(error_of(waits), "");
}

TEST_F(PoolTurnsTest, OwnersTakeTurnsForThePlace) {
  owner_ = "bob";
  auto& first = begin("a");
  talk("b", 6);
  talk("c", 6);
  owner_ = "eve";
  talk("d", 6);
  first.sound.reset();
  for (auto& call : calls_) EXPECT_EQ(error_of(call), "");
  EXPECT_EQ(loads_, (std::vector<std::string>{"a", "d", "b", "c"}));
}

TEST_F(PoolTurnsTest, AnOwnerOfSeveralModelsMakesWayForOneWithoutAPlaceAfterATurn) {
  settings_.turns = {.turn = milliseconds(100), .longer = 1'000'000};
  let_calls_give_way();
  owner_ = "bob";
  auto& of_bob = begin("a");
  auto& next_of_bob = talk("b", 6);
  test::run(io_, sleep_for(milliseconds(400)));
  EXPECT_EQ(asked_, 0) << "of one owner each has a longer turn";
  owner_ = "eve";
  auto& of_eve = talk("c", 6);
  test::run_until(io_, [&] { return asked_ > 0; });
  cancel(of_bob);
  EXPECT_EQ(error_of(of_eve), "");
  EXPECT_EQ(error_of(next_of_bob), "");
  EXPECT_EQ(loads_, (std::vector<std::string>{"a", "c", "b"}));
}

TEST_F(PoolTurnsTest, AnOwnerOfOneModelHasALongerTurn) {
  settings_.turns = {.turn = milliseconds(100), .longer = 1'000'000};
  let_calls_give_way();
  owner_ = "bob";
  auto& of_bob = begin("a");
  owner_ = "eve";
  auto& of_eve = talk("b", 6);
  test::run(io_, sleep_for(milliseconds(400)));
  EXPECT_EQ(asked_, 0);
  of_bob.sound.reset();
  EXPECT_EQ(error_of(of_eve), "");
}

TEST_F(PoolTurnsTest, CallsOfAnOwnerWhoHasAPlaceHoldNobodyElseBack) {
  owner_ = "bob";
  auto& of_bob = begin("a");
  auto& waits = talk("b", 6);
  owner_ = "eve";
  EXPECT_EQ(error_of(talk("a", 6)), "");
  EXPECT_FALSE(waits.call->ended());
  of_bob.sound.reset();
  EXPECT_EQ(error_of(waits), "");
}

// A client that waits behind another owner's file is served after two turns, not after a long one.
TEST_F(PoolTurnsTest, AClientThatWaitsBehindAFileEndsATurnAllTheSame) {
  settings_.turns = {.turn = milliseconds(100), .longer = 1'000'000};
  let_calls_give_way();
  owner_ = "bob";
  auto& of_bob = begin("a", "", WorkClass::background);
  owner_ = "mal";
  talk("b", 6, "", {}, WorkClass::background);
  test::run(io_, sleep_for(milliseconds(400)));
  EXPECT_EQ(asked_, 0);
  owner_ = "eve";
  talk("c", 6);
  test::run_until(io_, [&] { return asked_ > 0; });
  cancel(of_bob);
}

TEST_F(PoolTurnsTest, AskNobodyOnceWhoWaitedHasLeft) {
  is_ready_ = false;
  let_calls_give_way();
  auto& file = begin("a", "", WorkClass::background);
  auto& clip = talk("b", 6);
  cancel(clip);
  is_ready_ = true;
  test::run(io_, sleep_for(milliseconds(400)));
  EXPECT_EQ(asked_, 0);
  file.sound.reset();
  EXPECT_EQ(error_of(file), "");
}

TEST_F(PoolTurnsTest, LiveSessionsLeaveTheDefaultModelItsPlace) {
  settings_.beside_live = {"a"};
  auto& refused = listen("b");
  EXPECT_EQ(error_of_session(refused), errc::overloaded);
  auto& served = listen("a");
  EXPECT_FALSE(served.call->ended()) << "the model that everybody uses is there for live sound too";
}

TEST_F(PoolTurnsTest, LiveSessionsTakeThePlacesBesideTheDefaultModel) {
  settings_.beside_live = {"a"};
  settings_.max_loaded = 2;
  auto& served = listen("b");
  auto& again = listen("b");
  auto& refused = listen("c");
  EXPECT_EQ(error_of_session(refused), errc::overloaded);
  EXPECT_FALSE(served.call->ended());
  EXPECT_FALSE(again.call->ended());
  EXPECT_EQ(error_of(talk("a", 6)), "");
}

TEST_F(PoolTurnsTest, LiveSessionsThatWaitCountToo) {
  settings_.beside_live = {"a"};
  settings_.max_loaded = 2;
  auto& one = begin("a");
  auto& two = begin("d");
  auto& waits = listen("b");
  auto& refused = listen("c");
  EXPECT_EQ(error_of_session(refused), errc::overloaded);
  one.sound.reset();
  two.sound.reset();
  EXPECT_FALSE(waits.call->ended());
}

}  // namespace
}  // namespace server
