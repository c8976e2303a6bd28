#include "server/lifecycle/stop_signals.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <csignal>

namespace server {
namespace {

namespace asio = boost::asio;

bool is_readable(int fd) {
  pollfd state{.fd = fd, .events = POLLIN, .revents = 0};
  return ::poll(&state, 1, 0) == 1;
}

TEST(StopSignals, SignalMakesDescriptorReadableUntilItIsTaken) {
  asio::io_context io;
  StopSignals signals(io.get_executor());
  EXPECT_EQ(signals.take(), 0);
  EXPECT_FALSE(is_readable(signals.fd()));
  std::raise(SIGTERM);
  EXPECT_TRUE(is_readable(signals.fd()));
  EXPECT_EQ(signals.take(), SIGTERM);
  EXPECT_FALSE(is_readable(signals.fd()));
  EXPECT_EQ(signals.take(), 0);
}

TEST(StopSignals, EachSignalIsAwaitedByItself) {
  asio::io_context io;
  StopSignals signals(io.get_executor());
  for (const int signal : {SIGHUP, SIGINT, SIGHUP}) {
    auto next = asio::co_spawn(io, signals.next(), asio::use_future);
    std::raise(signal);
    io.run();
    io.restart();
    EXPECT_EQ(next.get(), signal);
  }
}

TEST(StopSignals, IgnoredSignalStaysIgnored) {
  const auto before = std::signal(SIGHUP, SIG_IGN);
  asio::io_context io;
  {
    StopSignals signals(io.get_executor());
    std::raise(SIGHUP);
    EXPECT_EQ(signals.take(), 0);
  }
  EXPECT_EQ(std::signal(SIGHUP, before), SIG_IGN);
}

}  // namespace
}  // namespace server
