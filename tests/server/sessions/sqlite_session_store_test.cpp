#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "server/sessions/session_store.h"
#include "tests/server/temporary_folder.h"

namespace server {
namespace {

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

}  // namespace
}  // namespace server
