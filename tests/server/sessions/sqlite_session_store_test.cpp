#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "server/sessions/session_store.h"
#include "tests/server/temporary_folder.h"

namespace server {
namespace {

TEST(SqliteSessionStore, KeepsWhatItWasGiven) {
  const test::TemporaryFolder folder;
  const Session session{hash_of_key("token"), hash_of_key("key"), "ada", 12.5};
  const Share share{"id", hash_of_key("link"), "job", "ada", 1, 2};
  {
    auto store = open_session_store(folder / "sessions.sqlite").value();
    ASSERT_TRUE(store->add(session));
    ASSERT_TRUE(store->add(share));
  }
  auto store = open_session_store(folder / "sessions.sqlite").value();
  const auto sessions = store->sessions().value();
  ASSERT_EQ(sessions.size(), 1U);
  EXPECT_EQ(sessions[0].token, session.token);
  EXPECT_EQ(sessions[0].key, session.key);
  EXPECT_EQ(sessions[0].name, "ada");
  EXPECT_EQ(sessions[0].ends, 12.5);
  const auto shares = store->shares().value();
  ASSERT_EQ(shares.size(), 1U);
  EXPECT_EQ(shares[0].token, share.token);
  EXPECT_EQ(shares[0].job, "job");
  EXPECT_EQ(shares[0].ends, 2);
  ASSERT_TRUE(store->remove_session(session.token));
  ASSERT_TRUE(store->remove_share("id"));
  EXPECT_TRUE(store->sessions().value().empty());
  EXPECT_TRUE(store->shares().value().empty());
}

TEST(SqliteSessionStore, NobodyElseMayReadTheFile) {
  const test::TemporaryFolder folder;
  const auto store = open_session_store(folder / "sessions.sqlite");
  ASSERT_TRUE(store);
  struct ::stat status {};
  ASSERT_EQ(::stat((folder / "sessions.sqlite").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
}

TEST(SqliteSessionStore, SaysThatItsFileIsDamaged) {
  const test::TemporaryFolder folder;
  std::ofstream(folder / "sessions.sqlite") << std::string(8192, 'x');
  const auto store = open_session_store(folder / "sessions.sqlite");
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, "damaged_store");
}

TEST(SqliteSessionStore, SaysThatItCannotWrite) {
  const auto store = open_session_store("/nowhere/sessions.sqlite");
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, errc::io_error);
}

TEST(SqliteSessionStore, TheSameTokenTwiceIsAnError) {
  auto store = open_session_store({}).value();
  const Session session{hash_of_key("token"), hash_of_key("key"), "ada", 1};
  ASSERT_TRUE(store->add(session));
  EXPECT_FALSE(store->add(session));
}

}  // namespace
}  // namespace server
