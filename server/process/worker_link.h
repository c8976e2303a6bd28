#pragma once

#include <array>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <optional>
#include <span>

#include "platform/unique_fd.h"
#include "protocol/frame.h"
#include "protocol/worker_messages.h"
#include "server/base/error.h"

namespace server {

namespace asio = boost::asio;

// The daemon's end of a worker's socket: messages in and out, descriptors out. One coroutine sends
// at a time, and one receives.
class WorkerLink {
 public:
  WorkerLink(asio::any_io_executor executor, platform::UniqueFd socket);

  // Sends a message. `descriptors` stay ours; the worker gets copies.
  asio::awaitable<Result<void>> send(const protocol::worker::Message& message,
                                     std::span<const int> descriptors = {});

  // Returns the next message; empty when the connection has ended. Cancelling the call loses
  // nothing: what had arrived is kept for the next call.
  asio::awaitable<Result<std::optional<protocol::worker::Message>>> receive();

  // Ends send() and receive() with operation_aborted.
  void close();

 private:
  asio::awaitable<Result<void>> write_all(std::string_view bytes, std::span<const int> descriptors);

  asio::local::stream_protocol::socket socket_;
  protocol::FrameReader frames_;
  std::array<char, 64 * 1024> chunk_{};
};

}  // namespace server
