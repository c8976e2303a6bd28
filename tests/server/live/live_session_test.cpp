#include "server/live/live_session.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tests/server/live/live_fixture.h"

namespace server {
namespace {

std::vector<float> loud(double seconds) {
  std::vector<float> pcm(static_cast<std::size_t>(seconds * 16'000));
  for (std::size_t i = 0; i < pcm.size(); ++i) pcm[i] = i % 2 == 0 ? 0.5F : -0.5F;
  return pcm;
}

class LiveSessionTest : public test::LiveFixture {
 protected:
  LiveRequest request(const std::string& hotwords = "") {
    return {.id = "1", .model = "base", .settings = {.hotwords = hotwords}};
  }
  void start(LiveSession& session) {
    call.emplace(io, session.run([this](const protocol::TranscriptEvent& event) {
      if (const auto* turn = std::get_if<protocol::TurnEnded>(&event)) turns.push_back(turn->text);
    }));
  }
  // Whether waiting for room ends now.
  bool has_room(LiveSession& session) {
    test::Started<int> waiting(io, wait(session));
    for (int i = 0; i < 100 && !waiting.ended(); ++i) io.run_one_for(std::chrono::milliseconds(1));
    const bool has = waiting.ended();
    if (!has) {
      waiting.cancel();
      test::run_until(io, [&] { return waiting.ended(); });
    }
    return has;
  }
  static asio::awaitable<int> wait(LiveSession& session) {
    co_await session.room();
    co_return 0;
  }
  std::string error() {
    test::run_until(io, [&] { return call->ended(); });
    return call->value() ? "" : call->value().error().code;
  }

  std::vector<std::string> turns;
  std::optional<test::Started<Result<void>>> call;
};

TEST_F(LiveSessionTest, WhatIsPushedBeforeItRunsIsHeardToo) {
  LiveSession session(io.get_executor(), models, request());
  session.push(loud(2));
  session.commit();
  start(session);
  session.push(loud(1));
  test::run_until(io, [&] { return turns.size() == 1; });
  EXPECT_EQ(turns.front(), "w1 w2");
  session.finish();
  EXPECT_EQ(error(), "");
  EXPECT_EQ(turns, (std::vector<std::string>{"w1 w2", "w1"}));
  EXPECT_DOUBLE_EQ(session.pushed_s(), 3);
  EXPECT_NEAR(session.heard_s(), 3, 0.1);
}

TEST_F(LiveSessionTest, SoundMayComeSampleBySample) {
  LiveSession session(io.get_executor(), models, request());
  start(session);
  const auto pcm = loud(3);
  for (std::size_t i = 0; i < pcm.size(); ++i) {
    session.push(std::span(pcm).subspan(i, 1));
    if (i % 100 == 0) io.poll();  // the pipe takes some between them
  }
  session.finish();
  EXPECT_EQ(error(), "");
  EXPECT_EQ(turns, std::vector<std::string>{"w1 w2 w3"});
  EXPECT_DOUBLE_EQ(session.pushed_s(), 3);
}

TEST_F(LiveSessionTest, EndsWithoutSound) {
  LiveSession session(io.get_executor(), models, request());
  start(session);
  session.finish();
  EXPECT_EQ(error(), "");
  EXPECT_TRUE(turns.empty());
}

TEST_F(LiveSessionTest, HasNoRoomForMoreThanAMinuteOfWaitingSound) {
  ::setenv("SCRIBED_FAKE_WORKER", "silent_start", 1);
  LiveSession session(io.get_executor(), models, request());
  start(session);
  session.push(loud(59));
  EXPECT_TRUE(has_room(session));
  session.push(loud(4));  // the pipe takes a second
  EXPECT_FALSE(has_room(session));
  call->cancel();
  test::run_until(io, [&] { return call->ended(); });
  EXPECT_TRUE(has_room(session)) << "nobody waits for a session that has ended";
}

TEST_F(LiveSessionTest, WishesThatNobodyTakesAreBounded) {
  LiveSession session(io.get_executor(), models, request());
  for (std::size_t i = 0; i <= LiveSession::most_wishes; ++i) session.commit();
  EXPECT_FALSE(has_room(session));
  start(session);
  test::run_until(io, [&] { return turns.size() > LiveSession::most_wishes; });
  EXPECT_TRUE(has_room(session));
  session.finish();
  EXPECT_EQ(error(), "");
}

TEST_F(LiveSessionTest, FailsWithItsWorker) {
  LiveSession session(io.get_executor(), models, request("fake:die_after:1"));
  start(session);
  session.push(loud(1));
  session.commit();
  EXPECT_EQ(error(), "worker_died");
  session.push(loud(1));
  session.commit();
  EXPECT_TRUE(has_room(session));
}

TEST_F(LiveSessionTest, EndsAtOnceWhenItIsCancelled) {
  LiveSession session(io.get_executor(), models, request("fake:hang"));
  start(session);
  session.push(loud(30));
  test::run_until(io,
                  [&] { return !models.loaded().empty() && !models.loaded().front().is_loading; });
  call->cancel();
  test::run_until(io, [&] { return call->ended(); });
  EXPECT_TRUE(call->threw());
}

}  // namespace
}  // namespace server
