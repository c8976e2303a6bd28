#include "server/base/private_fds.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "platform/unique_fd.h"

namespace server {
namespace {

bool is_private(const platform::UniqueFd& fd) {
  return (::fcntl(fd.get(), F_GETFD) & FD_CLOEXEC) != 0;
}

bool does_not_wait(const platform::UniqueFd& fd) {
  return (::fcntl(fd.get(), F_GETFL) & O_NONBLOCK) != 0;
}

TEST(PrivateFds, PipeIsInheritedByNoProgramAndCarriesBytes) {
  int ends[2];
  ASSERT_EQ(private_pipe(ends), 0);
  const platform::UniqueFd read(ends[0]), written(ends[1]);
  EXPECT_TRUE(is_private(read) && is_private(written));
  EXPECT_FALSE(does_not_wait(read));
  char byte = 0;
  EXPECT_EQ(::write(written.get(), "x", 1), 1);
  EXPECT_EQ(::read(read.get(), &byte, 1), 1);
  EXPECT_EQ(byte, 'x');
}

TEST(PrivateFds, BothEndsOfPipeHaveTheFlag) {
  int ends[2];
  ASSERT_EQ(private_pipe(ends, O_NONBLOCK), 0);
  const platform::UniqueFd read(ends[0]), written(ends[1]);
  EXPECT_TRUE(does_not_wait(read) && does_not_wait(written));
  EXPECT_TRUE(is_private(read) && is_private(written));
}

TEST(PrivateFds, PairOfSocketsIsInheritedByNoProgram) {
  int ends[2];
  ASSERT_EQ(private_socket_pair(ends), 0);
  const platform::UniqueFd one(ends[0]), other(ends[1]);
  EXPECT_TRUE(is_private(one) && is_private(other));
}

TEST(PrivateFds, SocketIsInheritedByNoProgramAndWaitsUnlessItIsNotTo) {
  const platform::UniqueFd waits(private_socket(AF_UNIX, SOCK_STREAM));
  EXPECT_TRUE(is_private(waits));
  EXPECT_FALSE(does_not_wait(waits));
  const platform::UniqueFd goes_on(nonblocking_socket(AF_UNIX, SOCK_STREAM));
  EXPECT_TRUE(is_private(goes_on));
  EXPECT_TRUE(does_not_wait(goes_on));
}

}  // namespace
}  // namespace server
