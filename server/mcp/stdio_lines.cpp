#include "server/mcp/stdio_lines.h"

#include <poll.h>
#include <unistd.h>

#include <boost/asio/post.hpp>
#include <cerrno>
#include <chrono>
#include <utility>

namespace server {
namespace {

// The bytes that a pipe which is ready takes without blocking (POSIX: PIPE_BUF is at least 512,
// here 4096).
constexpr std::size_t chunk_bytes = 4096;
constexpr std::chrono::seconds flush_limit{1};

}  // namespace

StdioLines::StdioLines(boost::asio::any_io_executor executor, platform::UniqueFd input,
                       platform::UniqueFd output, Limits limits)
    : executor_(std::move(executor)),
      input_(std::move(input)),
      output_(std::move(output)),
      limits_(limits) {}

void StdioLines::start(Events events) {
  events_ = std::move(events);
  reader_ = std::jthread([this](std::stop_token stop) { read_lines(std::move(stop)); });
  writer_ = std::jthread([this](std::stop_token stop) { write_lines(std::move(stop)); });
}

StdioLines::~StdioLines() {
  {
    std::unique_lock lock(mutex_);
    queued_.wait_for(lock, flush_limit,
                     [this] { return reader_is_gone_ || (queue_.empty() && !writing_); });
  }
  reader_.request_stop();
  writer_.request_stop();
  wake_.wake();
}

bool StdioLines::wait_for(int fd, short events, const std::stop_token& stop) const {
  pollfd waited[] = {{fd, events, 0}, {wake_.fd(), POLLIN, 0}};
  while (!stop.stop_requested()) {
    const int ready = ::poll(waited, 2, -1);
    if (ready < 0 && errno != EINTR) return false;
    if (waited[1].revents != 0) return false;
    if (ready > 0 && waited[0].revents != 0) return true;
  }
  return false;
}

void StdioLines::read_lines(std::stop_token stop) {
  std::string line;
  char bytes[65536];
  while (wait_for(input_.get(), POLLIN, stop)) {
    const auto got = ::read(input_.get(), bytes, sizeof bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    for (const char byte : std::string_view(bytes, static_cast<std::size_t>(got))) {
      if (byte != '\n') {
        line += byte;
        continue;
      }
      boost::asio::post(executor_, [this, one = std::exchange(line, {})]() mutable {
        events_.on_line(std::move(one));
      });
    }
    if (line.size() > limits_.line_bytes) break;
  }
  if (!stop.stop_requested()) end();
}

void StdioLines::write(std::string line) {
  line += '\n';
  bool too_much = false;
  {
    const std::lock_guard lock(mutex_);
    if (reader_is_gone_) return;
    queue_bytes_ += line.size();
    too_much = queue_bytes_ > limits_.unread_bytes;
    queue_.push_back(std::move(line));
  }
  queued_.notify_all();
  if (too_much) give_up_output();
}

void StdioLines::write_lines(std::stop_token stop) {
  std::unique_lock lock(mutex_);
  while (queued_.wait(lock, stop, [this] { return !queue_.empty(); })) {
    const std::string line = std::move(queue_.front());
    queue_.pop_front();
    writing_ = true;
    lock.unlock();
    const bool written = write_all(line, stop);
    lock.lock();
    writing_ = false;
    queue_bytes_ -= line.size();
    queued_.notify_all();
    if (!written) break;
  }
  lock.unlock();
  if (!stop.stop_requested()) give_up_output();
}

bool StdioLines::write_all(const std::string& text, const std::stop_token& stop) {
  std::size_t done = 0;
  while (done < text.size()) {
    if (!wait_for(output_.get(), POLLOUT, stop)) return false;
    const auto count = std::min(chunk_bytes, text.size() - done);
    const auto written = ::write(output_.get(), text.data() + done, count);
    if (written < 0 && errno != EINTR && errno != EAGAIN) return false;
    if (written > 0) done += static_cast<std::size_t>(written);
  }
  return true;
}

void StdioLines::give_up_output() {
  {
    const std::lock_guard lock(mutex_);
    reader_is_gone_ = true;
  }
  queued_.notify_all();
  end();
}

void StdioLines::end() {
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(has_ended_, true)) return;
  }
  boost::asio::post(executor_, [this] { events_.on_end(); });
}

}  // namespace server
