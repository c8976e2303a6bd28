#include "server/sessions/sessions.h"

#include <gtest/gtest.h>

#include "tests/server/run_coroutine.h"
#include "tests/server/temporary_folder.h"

namespace server {
namespace {

constexpr double now = 1'000'000;
constexpr char ada_line[] = "ada secret-key-of-ada [transcribe, read_status]";
constexpr char bob_line[] = "bob secret-key-of-bob [transcribe]";

const KeyHash ada_key = hash_of_key("secret-key-of-ada");
const KeyHash bob_key = hash_of_key("secret-key-of-bob");

ApiKeys keys_of(const std::string& lines) {
  ApiKeys keys;
  EXPECT_TRUE(keys.add_lines(lines));
  return keys;
}

class SessionsTest : public testing::Test {
 protected:
  SessionsTest() { open(); }

  // Opens the store again, as the next process does.
  void open() {
    sessions.reset();
    calls.reset();
    auto store = open_session_store(folder / "sessions.sqlite").value();
    auto stored = store->changes(0).value().sessions;
    calls.emplace(std::move(store));
    sessions.emplace(*calls, std::move(stored));
  }

  std::string begin(const KeyHash& key = ada_key, const std::string& name = "ada",
                    double when = now) {
    return test::run(io, sessions->begin(key, name, when)).value();
  }

  asio::io_context io;
  test::TemporaryFolder folder;
  std::optional<StoreCalls> calls;
  std::optional<Sessions> sessions;
  ApiKeys keys = keys_of(std::string(ada_line) + "\n" + bob_line);
};

TEST_F(SessionsTest, StandForTheKeyThatTheyBeganWith) {
  const std::string token = begin();
  EXPECT_EQ(token.size(), 52U);
  const auto principal = sessions->find(token, keys, now);
  ASSERT_TRUE(principal);
  EXPECT_EQ(principal->name, "ada");
  EXPECT_EQ(principal->rights, (Rights{Right::transcribe, Right::read_status}));
  EXPECT_EQ(principal->until, now + Sessions::lifetime_s);
  EXPECT_FALSE(sessions->find(token + "0", keys, now));
  EXPECT_FALSE(sessions->find("", keys, now));
}

TEST_F(SessionsTest, HaveTheRightsThatTheirKeyHasNow) {
  const std::string token = begin();
  const ApiKeys fewer = keys_of("ada secret-key-of-ada [transcribe]");
  EXPECT_EQ(sessions->find(token, fewer, now)->rights, Rights{Right::transcribe});
}

TEST_F(SessionsTest, EndAfterThirtyDays) {
  const std::string token = begin();
  EXPECT_TRUE(sessions->find(token, keys, now + Sessions::lifetime_s - 1));
  const auto late = sessions->find(token, keys, now + Sessions::lifetime_s);
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, errc::unauthorized);
}

TEST_F(SessionsTest, EndWithTheirKey) {
  const std::string token = begin();
  EXPECT_FALSE(sessions->find(token, keys_of(bob_line), now)) << "the key was removed";
  const ApiKeys ending = keys_of("ada secret-key-of-ada until=1970-01-12T13:46:41Z");
  EXPECT_EQ(sessions->find(token, ending, now)->until, 1'000'001);
  EXPECT_FALSE(sessions->find(token, ending, now + 1)) << "its time has come";
}

// Another key of the same name does not keep a session alive, and the same key under another name
// makes nobody of it.
TEST_F(SessionsTest, EndWithTheirOwnKeyWhateverElseTheNameHas) {
  const std::string token = begin();
  EXPECT_FALSE(sessions->find(token, keys_of("ada another-key-of-ada"), now));
  EXPECT_FALSE(sessions->find(token, keys_of("eve secret-key-of-ada"), now));
}

TEST_F(SessionsTest, SurviveARestartUntilSomebodySignsOut) {
  const std::string stays = begin(), goes = begin();
  ASSERT_TRUE(test::run(io, sessions->end(goes)));
  EXPECT_FALSE(sessions->find(goes, keys, now));
  open();
  EXPECT_TRUE(sessions->find(stays, keys, now));
  EXPECT_FALSE(sessions->find(goes, keys, now));
}

TEST_F(SessionsTest, OneKeyHasABoundedNumberOfThem) {
  const std::string of_bob = begin(bob_key, "bob");
  const std::string first = begin(ada_key, "ada", now);
  for (std::size_t i = 1; i < Sessions::most_of_one; ++i) begin(ada_key, "ada", now + 1);
  EXPECT_TRUE(sessions->find(first, keys, now));
  begin(ada_key, "ada", now + 2);
  EXPECT_FALSE(sessions->find(first, keys, now)) << "the one that ends first goes";
  EXPECT_TRUE(sessions->find(of_bob, keys, now));
  EXPECT_EQ(sessions->count(), Sessions::most_of_one + 1);
}

TEST_F(SessionsTest, WhatHasEndedIsForgotten) {
  begin();
  begin(bob_key, "bob", now + 10);
  ASSERT_TRUE(test::run(io, sessions->remove_ended(keys, now + Sessions::lifetime_s)));
  EXPECT_EQ(sessions->count(), 1U);
  ASSERT_TRUE(test::run(io, sessions->remove_ended(keys_of(ada_line), now)));
  EXPECT_EQ(sessions->count(), 0U);
  open();
  EXPECT_EQ(sessions->count(), 0U);
}

}  // namespace
}  // namespace server
