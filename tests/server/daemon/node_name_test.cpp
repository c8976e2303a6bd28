#include "server/daemon/node_name.h"

#include <gtest/gtest.h>

#include "server/base/random_id.h"
#include "tests/server/temporary_folder.h"

namespace server {
namespace {

class NodeNameTest : public testing::Test {
 protected:
  std::string take() { return take_node_name(folder_.path()).value().name; }

  test::TemporaryFolder folder_{};
};

TEST_F(NodeNameTest, IsTheSameAtEachStart) {
  const std::string name = take();
  EXPECT_TRUE(is_id(name));
  EXPECT_EQ(take(), name);
}

TEST_F(NodeNameTest, IsOneDaemonsAtATime) {
  const auto first = take_node_name(folder_.path()).value();
  EXPECT_EQ(take_node_name(folder_.path()).error().code, "store_busy");
}

TEST_F(NodeNameTest, IsMadeAnewWhereACrashHasLeftAPart) {
  test::write_text(folder_ / "node", "abc");
  EXPECT_TRUE(is_id(take()));
}

TEST_F(NodeNameTest, WithoutAFolderThereIsNone) {
  EXPECT_FALSE(take_node_name(folder_ / "missing"));
}

}  // namespace
}  // namespace server
