#include <sys/event.h>

#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <cstddef>
#include <system_error>
#include <utility>

#include "server/lifecycle/stop_signals.h"

// A kqueue hears of signals that are ignored, too, and then nothing else has to be done with them.
namespace server {
namespace {

int open_signals(StopSignals::Previous& previous) {
  const int queue = ::kqueue();
  if (queue < 0) throw std::system_error(errno, std::generic_category(), "[signals] kqueue");
  for (std::size_t i = 0; i < StopSignals::waited_for.size(); ++i) {
    const int signal = StopSignals::waited_for[i];
    ::sigaction(signal, nullptr, &previous[i]);
    // `nohup scribed …` ignores SIGHUP, and a shell's background job ignores SIGINT; both stay
    // ignored.
    if (previous[i].sa_handler == SIG_IGN) continue;
    struct kevent wanted {};
    EV_SET(&wanted, signal, EVFILT_SIGNAL, EV_ADD, 0, 0, nullptr);
    ::kevent(queue, &wanted, 1, nullptr, 0, nullptr);
    struct sigaction ignored {};
    ignored.sa_handler = SIG_IGN;
    ::sigaction(signal, &ignored, nullptr);
  }
  return queue;
}

}  // namespace

StopSignals::StopSignals(boost::asio::any_io_executor executor)
    : descriptor_(std::move(executor), open_signals(previous_)) {}

StopSignals::~StopSignals() {
  for (std::size_t i = 0; i < waited_for.size(); ++i) {
    ::sigaction(waited_for[i], &previous_[i], nullptr);
  }
}

boost::asio::awaitable<int> StopSignals::next() {
  while (true) {
    if (const int signal = take(); signal != 0) co_return signal;
    co_await descriptor_.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                                    boost::asio::use_awaitable);
  }
}

int StopSignals::take() {
  struct kevent came {};
  const timespec no_time{};
  const int count = ::kevent(descriptor_.native_handle(), nullptr, 0, &came, 1, &no_time);
  return count == 1 ? static_cast<int>(came.ident) : 0;
}

}  // namespace server
