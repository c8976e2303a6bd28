#include "server/client/local_socket.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstring>

#include "platform/unique_fd.h"
#include "tests/server/temporary_folder.h"

namespace server {
namespace {

platform::UniqueFd bound_socket(const std::string& path) {
  platform::UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  EXPECT_EQ(::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  return fd;
}

TEST(LocalSocket, IsListenedOnWhileAProcessDoes) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path() / "socket";
  EXPECT_FALSE(is_listened_on(path));
  {
    const auto fd = bound_socket(path);
    EXPECT_FALSE(is_listened_on(path));
    ASSERT_EQ(::listen(fd.get(), 4), 0);
    EXPECT_TRUE(is_listened_on(path));
  }
  // The name is still there, as after a crash.
  EXPECT_FALSE(is_listened_on(path));
}

TEST(LocalSocket, AnEmptyOrAnEndlessNameIsNone) {
  EXPECT_FALSE(is_listened_on(""));
  EXPECT_FALSE(is_listened_on("/" + std::string(200, 'x')));
}

}  // namespace
}  // namespace server
