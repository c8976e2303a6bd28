#include "server/models/install_lock.h"

#include <gtest/gtest.h>

#include "tests/server/models/temporary_store.h"

namespace server {
namespace {

TEST(InstallLock, IsHeldByOneAndSaysByWhom) {
  const testing::TemporaryFolder folder;
  {
    const auto first = InstallLock::acquire(folder.path(), "base");
    ASSERT_TRUE(first);
    const auto second = InstallLock::acquire(folder.path(), "base");
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, StoreErrc::busy);
    EXPECT_NE(second.error().message.find(std::to_string(::getpid())), std::string::npos);
  }
  EXPECT_TRUE(InstallLock::acquire(folder.path(), "base"));
}

TEST(InstallLock, LetsOthersWorkOnOtherModels) {
  const testing::TemporaryFolder folder;
  const auto one = InstallLock::acquire(folder.path(), "base");
  EXPECT_TRUE(InstallLock::acquire(folder.path(), "tiny"));
}

}  // namespace
}  // namespace server
