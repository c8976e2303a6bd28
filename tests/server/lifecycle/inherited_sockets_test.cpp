#include "server/lifecycle/inherited_sockets.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <string>

namespace server {
namespace {

int listening_socket() {
  const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
  const sockaddr any{.sa_family = AF_UNIX, .sa_data = {}};
  EXPECT_EQ(::bind(fd, &any, sizeof any.sa_family), 0);  // a name that the kernel chooses
  EXPECT_EQ(::listen(fd, 1), 0);
  return fd;
}

// Runs `check` as a process of its own, whose descriptor 3 is that one.
bool holds_with(int descriptor, const std::function<bool()>& check) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (descriptor != 3) ::dup2(descriptor, 3);
    ::_exit(check() ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

Environment variables(const std::string& pid, const std::string& count) {
  return [pid, count](const char* name) {
    const std::string variable(name);
    return variable == "LISTEN_PID" ? pid : variable == "LISTEN_FDS" ? count : std::string();
  };
}

TEST(InheritedSockets, AreThoseThatSystemdOpenedForThisProcess) {
  const platform::UniqueFd socket(listening_socket());
  EXPECT_TRUE(holds_with(socket.get(), [] {
    const auto found = inherited_sockets(variables(std::to_string(::getpid()), "1"));
    return found.size() == 1 && found[0].get() == 3 && (::fcntl(3, F_GETFD) & FD_CLOEXEC) != 0;
  }));
}

TEST(InheritedSockets, OfAParentAreNotOurs) {
  const platform::UniqueFd socket(listening_socket());
  for (const char* pid : {"1", "", "x"}) {
    EXPECT_TRUE(holds_with(socket.get(), [pid] {
      return inherited_sockets(variables(pid, "1")).empty();
    })) << pid;
  }
}

TEST(InheritedSockets, TakeConnections) {
  const platform::UniqueFd file(::open("/dev/null", O_RDONLY));
  EXPECT_TRUE(holds_with(file.get(), [] {
    return inherited_sockets(variables(std::to_string(::getpid()), "1")).empty();
  }));
  EXPECT_TRUE(holds_with(file.get(), [] {
    return inherited_sockets(variables(std::to_string(::getpid()), "none")).empty();
  }));
}

}  // namespace
}  // namespace server
