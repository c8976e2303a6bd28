#include "server/live/stream_door.h"

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/base/race.h"
#include "server/live/adapter_driver.h"
#include "server/live/door_watch.h"

namespace server {
namespace {

// A piece may hold dozens of messages, and the thread is not free for others while they are read.
constexpr std::size_t piece_bytes = 4 << 10;

// A socket that is closed while sound of the client is unread resets the connection, and the client
// may lose our last frame. So what comes behind it is read and dropped, within these limits.
constexpr std::size_t most_dropped_bytes = 16 << 20;
constexpr std::chrono::seconds time_to_close{1};

// One stream and the driver of its adapter, as LiveSocket is for a WebSocket.
class LiveStream {
 public:
  LiveStream(StreamSocket socket, std::shared_ptr<AdapterDriver> driver, DoorLimits limits,
             std::string client, std::shared_ptr<StreamConnection> connection)
      : socket_(std::move(socket)),
        driver_(std::move(driver)),
        limits_(limits),
        client_(std::move(client)),
        connection_(std::move(connection)) {
    connection_->waits_since = [this] {
      return driver_->has_sessions() ? std::nullopt : std::optional(times_.heard);
    };
    boost::system::error_code ignored;
    socket_.set_option(asio::ip::tcp::no_delay(true), ignored);  // of TCP alone
  }
  LiveStream(const LiveStream&) = delete;
  ~LiveStream() { *connection_ = {}; }

  asio::awaitable<void> run() {
    driver_->begin();
    auto talking = talk();
    auto watching = watch_door(driver_, times_, limits_, socket_.native_handle());
    co_await race(std::move(talking), std::move(watching));
  }

 private:
  asio::awaitable<Elapsed> talk() {
    auto reading = read();
    auto writing = write();
    co_await race(std::move(reading), std::move(writing));
    co_return Elapsed{};
  }

  // Ends when the client has closed its side, or does not stop behind our end.
  asio::awaitable<Elapsed> read() {
    std::vector<char> piece(piece_bytes);
    std::size_t dropped = 0;
    while (true) {
      boost::system::error_code failure;
      auto token = asio::redirect_error(asio::use_awaitable, failure);
      const std::size_t count =
          co_await socket_.async_read_some(asio::buffer(piece), std::move(token));
      if (failure) co_return Elapsed{};
      times_.heard = times_.alive = DoorTimes::now();
      if (driver_->outbox().is_closing()) {
        dropped += count;
        if (dropped > most_dropped_bytes) co_return Elapsed{};
        continue;
      }
      auto starting = connection_->starts->start({.network = client_});
      co_await std::move(starting);
      driver_->receive_bytes({piece.data(), count});
      times_.is_full = true;
      co_await driver_->room();
      times_.is_full = false;
      // The client could not be heard meanwhile.
      times_.heard = times_.alive = DoorTimes::now();
    }
  }

  asio::awaitable<Elapsed> write() {
    while (true) {
      const auto frame = co_await driver_->outbox().next();
      if (!frame) break;
      times_.writing_since = DoorTimes::now();
      boost::system::error_code failure;
      auto token = asio::redirect_error(asio::use_awaitable, failure);
      co_await asio::async_write(socket_, asio::buffer(frame->bytes), std::move(token));
      times_.writing_since.reset();
      if (failure) co_return Elapsed{};
    }
    boost::system::error_code ignored;
    socket_.shutdown(asio::socket_base::shutdown_send, ignored);
    co_await sleep_for(time_to_close);  // the reader ends it earlier, with the client
    co_return Elapsed{};
  }

  StreamSocket socket_;
  const std::shared_ptr<AdapterDriver> driver_;
  const DoorLimits limits_;
  const std::string client_;
  const std::shared_ptr<StreamConnection> connection_;
  DoorTimes times_{};
};

}  // namespace

asio::awaitable<void> serve_stream(LiveServices& live, StreamSocket socket,
                                   std::unique_ptr<protocol::live::Adapter> adapter,
                                   std::string peer, std::shared_ptr<StreamConnection> connection) {
  AdapterDriver::Client client{.principal = peer};
  auto driver = std::make_shared<AdapterDriver>(live, std::move(adapter), std::move(client));
  // A plain stream has no pings: its adapter ends a silent client, which may wait for a text.
  DoorLimits limits{.silence = std::chrono::minutes(15),
                    .ping = std::chrono::seconds(0),
                    .session = live.settings().most_time};
  LiveStream stream(std::move(socket), std::move(driver), limits, std::move(peer),
                    std::move(connection));
  auto running = stream.run();
  co_await std::move(running);
}

}  // namespace server
