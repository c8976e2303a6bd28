#include "server/lifecycle/service_notifier.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>

#include "tests/server/temporary_folder.h"

namespace server {
namespace {

using std::chrono::microseconds;

// Replaces systemd, which is a datagram socket to a service.
class Manager {
 public:
  explicit Manager(const std::string& name) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::ranges::copy(name, address.sun_path);
    if (name.front() == '@') address.sun_path[0] = '\0';
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
    EXPECT_EQ(::bind(fd_.get(), reinterpret_cast<const sockaddr*>(&address), size), 0);
  }

  // Returns the next message; empty: there is none.
  std::string next() {
    std::array<char, 4096> buffer{};
    const auto got = ::recv(fd_.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    return got > 0 ? std::string(buffer.data(), static_cast<std::size_t>(got)) : "";
  }

 private:
  platform::UniqueFd fd_{::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
};

ServiceNotifier notifier(std::map<std::string, std::string> variables) {
  return ServiceNotifier([variables = std::move(variables)](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? "" : found->second;
  });
}

TEST(ServiceNotifier, TellsTheManager) {
  const test::TemporaryFolder root;
  for (const std::string& name : {(root / "socket").string(), "@" + (root / "socket").string()}) {
    Manager manager(name);
    auto service = notifier({{"NOTIFY_SOCKET", name}});
    service.ready();
    EXPECT_EQ(manager.next(), "READY=1") << name;
    service.status("loads base");
    EXPECT_EQ(manager.next(), "STATUS=loads base");
    service.extend_timeout(microseconds(2'000'000));
    EXPECT_EQ(manager.next(), "EXTEND_TIMEOUT_USEC=2000000");
    service.watchdog();
    EXPECT_EQ(manager.next(), "WATCHDOG=1");
    service.stopping();
    EXPECT_EQ(manager.next(), "STOPPING=1");
    EXPECT_EQ(manager.next(), "");
  }
}

TEST(ServiceNotifier, AStatusIsOneLine) {
  const test::TemporaryFolder root;
  Manager manager((root / "socket").string());
  auto service = notifier({{"NOTIFY_SOCKET", root / "socket"}});
  service.status("talk\nSTOPPING=1\x1B" + std::string(1000, 'x'));
  const auto message = manager.next();
  EXPECT_TRUE(message.starts_with("STATUS=talk STOPPING=1 xxx")) << message;
  EXPECT_LE(message.size(), 207U);
}

TEST(ServiceNotifier, WithoutAManagerNothingHappens) {
  const test::TemporaryFolder root;
  for (const std::string& name :
       {std::string(), std::string("relative"), std::string("/"), std::string("@"),
        "/" + std::string(200, 'x'), (root / "nobody").string()}) {
    auto service = notifier({{"NOTIFY_SOCKET", name}});
    service.ready();
    service.watchdog();
    EXPECT_FALSE(service.watchdog_interval());
  }
}

TEST(ServiceNotifier, AManagerThatDoesNotReadHoldsUpNobody) {
  const test::TemporaryFolder root;
  Manager manager((root / "socket").string());
  auto service = notifier({{"NOTIFY_SOCKET", root / "socket"}});
  for (int i = 0; i < 10'000; ++i) service.watchdog();
  EXPECT_EQ(manager.next(), "WATCHDOG=1");
}

TEST(ServiceNotifier, TheWatchdogIsFedTwiceAsOftenAsItAsks) {
  const std::string here = std::to_string(::getpid());
  const auto interval = [](const std::string& time, const std::string& process) {
    return notifier({{"NOTIFY_SOCKET", "@x"}, {"WATCHDOG_USEC", time}, {"WATCHDOG_PID", process}})
        .watchdog_interval();
  };
  EXPECT_EQ(interval("30000000", here), microseconds(15'000'000));
  EXPECT_EQ(interval("30000000", ""), microseconds(15'000'000));
  EXPECT_FALSE(interval("30000000", "1")) << "of another process";
  for (const char* time : {"", "0", "-1", "x", "1x", "99999999999999999999"}) {
    EXPECT_FALSE(interval(time, here)) << time;
  }
}

}  // namespace
}  // namespace server
