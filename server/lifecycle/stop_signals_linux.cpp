#include <sys/signalfd.h>
#include <unistd.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <system_error>

#include "server/lifecycle/stop_signals.h"

namespace server {
namespace {

int open_signals(StopSignals::Previous& previous) {
  sigset_t wanted;
  ::sigemptyset(&wanted);
  for (const int signal : StopSignals::waited_for) {
    // `nohup scribed …` ignores SIGHUP, and a shell's background job ignores SIGINT; both stay
    // ignored.
    struct sigaction now {};
    if (::sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN) continue;
    ::sigaddset(&wanted, signal);
  }
  ::sigprocmask(SIG_BLOCK, &wanted, &previous);
  const int fd = ::signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
  if (fd < 0) throw std::system_error(errno, std::generic_category(), "[signals] signalfd");
  return fd;
}

}  // namespace

StopSignals::StopSignals(boost::asio::any_io_executor executor)
    : descriptor_(std::move(executor), open_signals(previous_)) {}

StopSignals::~StopSignals() {
  ::sigprocmask(SIG_SETMASK, &previous_, nullptr);
}

boost::asio::awaitable<int> StopSignals::next() {
  signalfd_siginfo info{};
  co_await boost::asio::async_read(descriptor_, boost::asio::buffer(&info, sizeof info),
                                   boost::asio::use_awaitable);
  co_return static_cast<int>(info.ssi_signo);
}

int StopSignals::take() {
  signalfd_siginfo info{};
  const bool has_come = ::read(descriptor_.native_handle(), &info, sizeof info) == sizeof info;
  return has_come ? static_cast<int>(info.ssi_signo) : 0;
}

}  // namespace server
