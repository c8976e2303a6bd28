#include "server/process/left_children.h"

#include <gtest/gtest.h>
#include <sys/types.h>
#include <sys/wait.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "server/process/child_process.h"
#include "tests/server/started.h"

namespace server {
namespace {

namespace fs = std::filesystem;

// Children that run until they are killed. One that has not been reaped has its process id.
class LeftChildrenTest : public testing::Test {
 protected:
  ChildProcess spawn() {
    auto child = ChildProcess::spawn(io_->get_executor(), {"/bin/sleep", {"1000"}, {}});
    EXPECT_TRUE(child);
    pids_.push_back(child->pid());
    return *std::move(child);
  }
  std::ptrdiff_t unreaped() const {
    return std::ranges::count_if(pids_, [](pid_t pid) { return ::kill(pid, 0) == 0; });
  }
  static std::ptrdiff_t descriptors() {
    return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
  }

  std::optional<boost::asio::io_context> io_{std::in_place};
  std::vector<pid_t> pids_{};
};

TEST_F(LeftChildrenTest, AreNotWaitedForByWhoLeavesThem) {
  { const auto first = spawn(); }  // the io_context has its own descriptors from now on
  test::run_until(*io_, [&] { return unreaped() == 0; });
  const auto before = descriptors();
  std::vector<ChildProcess> children;
  for (int i = 0; i < 50; ++i) children.push_back(spawn());
  children.clear();
  EXPECT_EQ(unreaped(), 50) << "nobody has waited for one";
  test::run_until(*io_, [&] { return unreaped() == 0; });
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
  EXPECT_EQ(descriptors(), before);
}

TEST_F(LeftChildrenTest, DoNotKeepAnIoContextFromItsEnd) {
  { const auto child = spawn(); }
  EXPECT_GT(io_->run(), 0U);
  EXPECT_EQ(unreaped(), 0);
}

TEST_F(LeftChildrenTest, AreReapedAtTheEndOfTheirIoContext) {
  std::vector<ChildProcess> children;
  for (int i = 0; i < 10; ++i) children.push_back(spawn());
  children.clear();
  io_.reset();
  EXPECT_EQ(unreaped(), 0);
}

// The coroutine owns the child, and is destroyed when the io_context ends.
TEST_F(LeftChildrenTest, MayBeLeftByTheEndOfTheirIoContext) {
  const auto own = [](ChildProcess child) -> asio::awaitable<void> { co_await child.exited(); };
  asio::co_spawn(*io_, own(spawn()), asio::detached);
  io_->poll();
  EXPECT_EQ(unreaped(), 1);
  io_.reset();
  EXPECT_EQ(unreaped(), 0);
}

TEST_F(LeftChildrenTest, ThatAreTooManyAreWaitedFor) {
  std::vector<ChildProcess> children;
  const auto most = static_cast<std::ptrdiff_t>(LeftChildren::most);
  for (std::ptrdiff_t i = 0; i < most + 5; ++i) children.push_back(spawn());
  children.clear();
  EXPECT_EQ(unreaped(), most);
  test::run_until(*io_, [&] { return unreaped() == 0; });
}

}  // namespace
}  // namespace server
