#include "server/sessions/store_calls.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <list>

#include "server/sessions/sessions.h"
#include "server/sessions/shares.h"
#include "tests/server/run_coroutine.h"
#include "tests/server/started.h"

namespace server {
namespace {

constexpr double time_of_looks = 1'000'000;
const Session told_session{hash_of_key("token"), hash_of_key("secret-key-of-ada"), "ada",
                           time_of_looks + 1000};
const Share told_link{"id", hash_of_key("link"), "job", "ada", time_of_looks, time_of_looks + 1000};

// A store of several daemons, which has a session and a link while it is not away.
struct SharedStore final : SessionStore {
  explicit SharedStore(const bool& away) : is_away(away) {}

  bool is_shared() const override { return true; }
  Result<SessionChanges> changes(std::int64_t) override {
    if (is_away) return Error{"database_unavailable", "away", ""};
    return SessionChanges{
        .are_all = true, .sessions = {told_session}, .shares = {told_link}, .last = 1};
  }
  Result<void> add(const Session&) override { return {}; }
  Result<void> add(const Share&) override { return {}; }
  Result<void> remove_session(const KeyHash&) override { return {}; }
  Result<void> remove_shares(std::span<const std::string>) override { return {}; }

  const bool& is_away;
};

class StoreCallsTest : public testing::Test {
 protected:
  StoreCallsTest() { EXPECT_TRUE(keys_.add_lines("ada secret-key-of-ada")); }

  Result<void> catch_up() { return test::run(io_, calls_.catch_up()); }
  // The code of the error with which the session is refused; empty: it is let in.
  std::string refused(const std::string& token = "token") const {
    const auto found = sessions_.find(token, keys_, time_of_looks);
    return found ? "" : found.error().code;
  }
  std::string link_refused() const {
    const auto found = shares_.find("link", time_of_looks);
    return found ? "" : found.error().code;
  }

  ApiKeys keys_{};
  asio::io_context io_{};
  bool is_away_ = false;
  StoreCalls::Clock::time_point time_ = StoreCalls::Clock::now();
  StoreCalls calls_{std::make_unique<SharedStore>(is_away_), [this] { return time_; }};
  Sessions sessions_{calls_, {}};
  Shares shares_{calls_, {}};
};

TEST_F(StoreCallsTest, WhatIsKnownHoldsForFiveMinutesWithoutALook) {
  ASSERT_TRUE(catch_up());
  time_ += StoreCalls::longest_unread;
  EXPECT_EQ(refused(), "");
  EXPECT_EQ(link_refused(), "");
  time_ += std::chrono::seconds(1);
  EXPECT_EQ(refused(), "database_unavailable");
  EXPECT_EQ(link_refused(), "database_unavailable");
  ASSERT_TRUE(catch_up());
  EXPECT_EQ(refused(), "");
  EXPECT_EQ(link_refused(), "");
}

TEST_F(StoreCallsTest, WhileTheStoreIsAwayOnlyTheKnownAreLetIn) {
  ASSERT_TRUE(catch_up());
  EXPECT_EQ(refused("other"), errc::unauthorized);
  is_away_ = true;
  EXPECT_FALSE(catch_up());
  EXPECT_EQ(refused(), "");
  EXPECT_EQ(refused("other"), "database_unavailable");
  time_ += StoreCalls::longest_unread + std::chrono::seconds(1);
  EXPECT_EQ(refused(), "database_unavailable");
  EXPECT_EQ(link_refused(), "database_unavailable");
}

TEST_F(StoreCallsTest, OwnersTakeTurns) {
  std::promise<void> go;
  const auto opened = go.get_future().share();
  std::vector<std::string> done;  // on the store's thread, read when all have ended
  const auto call = [&](const char* owner) {
    return calls_.run(owner, [&done, opened, owner](SessionStore&) -> Result<void> {
      opened.wait();
      done.emplace_back(owner);
      return {};
    });
  };
  std::list<test::Started<Result<void>>> waiting;
  for (int i = 0; i < 128; ++i) waiting.emplace_back(io_, call("eve"));
  const test::Started<Result<void>> one_more(io_, call("eve"));
  const test::Started<Result<void>> adas(io_, call("ada"));
  io_.restart();
  io_.poll();
  const bool is_refused = one_more.ended();
  go.set_value();
  ASSERT_TRUE(is_refused);
  EXPECT_EQ(one_more.value().error().code, errc::too_many_requests);
  test::run_until(io_, [&] { return waiting.back().ended() && adas.ended(); });
  EXPECT_LT(std::ranges::find(done, "ada") - done.begin(), 4);
  EXPECT_EQ(done.size(), 129U);
}

}  // namespace
}  // namespace server
