#include "server/process/worker_link.h"

#include <sys/socket.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <cstring>
#include <string>

#include "platform/fd_socket.h"

namespace server {
namespace {

Error lost(const std::string& what) {
  return {errc::worker_died, "the connection to scribed-worker broke: " + what, ""};
}

}  // namespace

WorkerLink::WorkerLink(asio::any_io_executor executor, platform::UniqueFd socket)
    : socket_(std::move(executor), asio::local::stream_protocol(), socket.release()) {}

asio::awaitable<Result<void>> WorkerLink::send(const protocol::worker::Message& message,
                                               std::span<const int> descriptors) {
  const std::string payload = protocol::worker::encode(message);
  const auto header = protocol::encode_frame_header(payload.size());
  if (!header) co_return header.error();
  std::string frame(header->begin(), header->end());
  frame += payload;
  co_return co_await write_all(frame, descriptors);
}

asio::awaitable<Result<void>> WorkerLink::write_all(std::string_view bytes,
                                                    std::span<const int> descriptors) {
  while (!bytes.empty()) {
    const ssize_t sent =
        platform::send_some(socket_.native_handle(), bytes, descriptors, MSG_DONTWAIT);
    if (sent > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(sent));
      descriptors = {};  // the descriptors were sent with the first byte
    } else if (errno == EAGAIN) {
      co_await socket_.async_wait(socket_.wait_write, asio::use_awaitable);
    } else if (errno != EINTR) {
      co_return lost(std::strerror(errno));
    }
  }
  co_return Result<void>{};
}

asio::awaitable<Result<std::optional<protocol::worker::Message>>> WorkerLink::receive() {
  while (true) {
    auto payload = frames_.next();
    if (!payload) co_return payload.error();
    if (*payload) {
      auto message = protocol::worker::parse(**payload);
      if (!message) co_return message.error();
      co_return std::optional(*std::move(message));
    }
    const auto [failure, size] =
        co_await socket_.async_read_some(asio::buffer(chunk_), asio::as_tuple(asio::use_awaitable));
    if (failure == asio::error::operation_aborted) throw boost::system::system_error(failure);
    // The worker is gone, whatever ended the connection; a killed worker looks like a reset.
    if (failure) co_return std::optional<protocol::worker::Message>{};
    frames_.append({chunk_.data(), size});
  }
}

void WorkerLink::close() {
  boost::system::error_code ignored;
  socket_.close(ignored);
}

}  // namespace server
