#include "server/process/stderr_tail.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <string_view>

#include "server/log/escaped_text.h"

namespace server {
namespace {

constexpr int most_chunks = 16;  // 64 KiB

// A slow reader of our stderr must not hold up the work: what does not go out now is dropped.
void pass_to_stderr(std::string_view bytes) {
  pollfd ready{STDERR_FILENO, POLLOUT, 0};
  while (!bytes.empty() && ::poll(&ready, 1, 0) == 1 && (ready.revents & POLLOUT) != 0) {
    // A pipe that is ready is sure to take 4096 bytes, but not more.
    const auto written =
        ::write(STDERR_FILENO, bytes.data(), std::min<std::size_t>(bytes.size(), 4096));
    if (written <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

struct StderrTail::Stream {
  Stream(asio::any_io_executor executor, int fd) : pipe(std::move(executor), fd) {
    pipe.native_non_blocking(true);
  }

  // Reads what is there, but no more than fits into a pipe: a child that writes without end would
  // otherwise have us do nothing but read. Returns false at the end of the stream.
  bool take() {
    std::array<char, 4096> chunk;
    for (int chunks = 0; pipe.is_open() && chunks < most_chunks; ++chunks) {
      const auto got = ::read(pipe.native_handle(), chunk.data(), chunk.size());
      if (got > 0) {
        keep({chunk.data(), static_cast<std::size_t>(got)});
      } else if (got == 0 || (errno != EINTR && errno != EAGAIN)) {
        return false;
      } else if (errno == EAGAIN) {
        return true;
      }
    }
    return pipe.is_open();
  }

  void keep(std::string_view bytes) {
    pass_to_stderr(printable_text(bytes));  // the content of a file may have ended up in it
    tail.append(bytes);
    if (tail.size() > kept_bytes) tail.erase(0, tail.size() - kept_bytes);
  }

  static asio::awaitable<void> read_all(std::shared_ptr<Stream> stream) {
    while (stream->take()) {
      const auto [failure] = co_await stream->pipe.async_wait(
          asio::posix::stream_descriptor::wait_read, asio::as_tuple(asio::use_awaitable));
      if (failure) co_return;
    }
  }

  asio::posix::stream_descriptor pipe;
  std::string tail{};
};

StderrTail::StderrTail(asio::any_io_executor executor, platform::UniqueFd pipe)
    : stream_(std::make_shared<Stream>(executor, pipe.release())) {
  // The coroutine is detached because it ends with the stream, and nobody waits for that.
  asio::co_spawn(executor, Stream::read_all(stream_), asio::detached);
}

StderrTail::~StderrTail() {
  if (!stream_) return;
  boost::system::error_code ignored;
  stream_->pipe.close(ignored);
}

std::string StderrTail::text() {
  stream_->take();
  return stream_->tail;
}

}  // namespace server
