#include "server/live/socket_door.h"

#include <algorithm>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/field.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <utility>

#include "server/base/race.h"
#include "server/live/adapter_driver.h"
#include "server/live/door_watch.h"

namespace server {
namespace {

namespace websocket = boost::beast::websocket;

constexpr std::chrono::milliseconds handshake_limit{10'000};

// The capacity that a connection keeps for its next message.
constexpr std::size_t kept_bytes = 64 << 10;

// A message is read in pieces of so many bytes, each of which first has to have room in memory.
constexpr std::size_t message_piece_bytes = 16 << 10;

// A reason has at most 123 bytes (RFC 6455, 5.5).
constexpr std::size_t reason_bytes = 123;

// One WebSocket and the driver of its adapter. Reading, writing and watching are a coroutine each;
// the first that ends ends the connection.
class LiveSocket {
 public:
  // `exchange` is the request that the socket came with, and must outlive this object.
  LiveSocket(Exchange& exchange, StreamSocket socket, SocketOffer offer,
             std::shared_ptr<AdapterDriver> driver, DoorLimits limits)
      : exchange_(exchange),
        socket_(std::move(socket)),
        offer_(std::move(offer)),
        driver_(std::move(driver)),
        limits_(limits) {
    socket_.read_message_max(std::max(offer_.most_text, offer_.most_binary));
    socket_.text(true);
    socket_.control_callback([this](websocket::frame_type, boost::beast::string_view) {
      times_.alive = DoorTimes::now();
    });
  }
  LiveSocket(const LiveSocket&) = delete;

  asio::awaitable<void> run(http::request<http::empty_body> request, Headers headers) {
    auto accepting = accept(std::move(request), std::move(headers));
    const auto accepted = co_await within(handshake_limit, std::move(accepting));
    if (!accepted || !*accepted) co_return;
    driver_->begin();
    auto talking = talk();
    auto watching = watch();
    co_await race(std::move(talking), std::move(watching));
  }

 private:
  asio::awaitable<bool> accept(http::request<http::empty_body> request, Headers headers) {
    socket_.set_option(websocket::stream_base::decorator(
        [headers = std::move(headers)](websocket::response_type& response) {
          for (const auto& [name, value] : headers) response.insert(name, value);
        }));
    boost::system::error_code failure;
    auto token = asio::redirect_error(asio::use_awaitable, failure);
    co_await socket_.async_accept(request, std::move(token));
    co_return !failure;
  }

  // Whatever waits for a client that is dropped, as the closing of a WebSocket may for long, ends
  // with the socket.
  asio::awaitable<Elapsed> watch() {
    auto watching = watch_door(driver_, times_, limits_, socket_.next_layer().native_handle());
    co_await std::move(watching);
    boost::system::error_code ignored;
    socket_.next_layer().close(ignored);
    co_return Elapsed{};
  }

  asio::awaitable<Elapsed> talk() {
    auto reading = read();
    auto writing = write();
    co_await race(std::move(reading), std::move(writing));
    co_return Elapsed{};
  }

  // Ends when the client has closed the connection, or broken its protocol.
  asio::awaitable<Elapsed> read() {
    boost::beast::flat_buffer message;
    while (true) {
      auto reading = read_message(message);
      const bool is_whole = co_await std::move(reading);
      if (!is_whole) co_return Elapsed{};
      times_.heard = times_.alive = DoorTimes::now();
      take({static_cast<const char*>(message.data().data()), message.size()});
      message.clear();
      if (message.capacity() > kept_bytes) message.shrink_to_fit();
      // The room of the message is given back behind this, since its sound takes some meanwhile.
      times_.is_full = true;
      co_await driver_->room();
      times_.is_full = false;
      // The client could not be heard meanwhile.
      times_.heard = times_.alive = DoorTimes::now();
    }
  }

  // Reads a message as far as there is room for it in memory; one that finds none ends the session.
  // What comes behind our end is read and dropped. Returns false where the connection ends.
  asio::awaitable<bool> read_message(boost::beast::flat_buffer& message) {
    bool is_whole = false;
    while (!is_whole) {
      if (driver_->outbox().is_closing()) message.clear();
      auto holding = exchange_.hold(message.size() + message_piece_bytes);
      const auto held = co_await std::move(holding);
      if (!held) {
        driver_->outbox().close({1013, held.error().message});
        continue;
      }
      boost::system::error_code failure;
      auto token = asio::redirect_error(asio::use_awaitable, failure);
      co_await socket_.async_read_some(message, message_piece_bytes, std::move(token));
      if (failure) co_return false;
      is_whole = socket_.is_message_done();
    }
    co_return true;
  }

  // What comes behind our end is not for anybody.
  void take(std::string_view message) {
    if (driver_->outbox().is_closing()) return;
    const bool is_text = socket_.got_text();
    if (message.size() > (is_text ? offer_.most_text : offer_.most_binary)) {
      return driver_->outbox().close({1009, "the message is too large"});
    }
    is_text ? driver_->receive_text(message) : driver_->receive_bytes(message);
  }

  asio::awaitable<Elapsed> write() {
    while (true) {
      const auto frame = co_await driver_->outbox().next();
      if (!frame) break;
      times_.writing_since = DoorTimes::now();
      boost::system::error_code failure;
      auto token = asio::redirect_error(asio::use_awaitable, failure);
      if (frame->is_ping) {
        const websocket::ping_data nothing{};
        co_await socket_.async_ping(nothing, std::move(token));
      } else {
        co_await socket_.async_write(asio::buffer(frame->bytes), std::move(token));
      }
      times_.writing_since.reset();
      if (failure) co_return Elapsed{};
    }
    times_.closing_since = DoorTimes::now();
    const auto& how = driver_->outbox().closing();
    const websocket::close_reason reason(static_cast<websocket::close_code>(how.code),
                                         how.reason.substr(0, reason_bytes));
    boost::system::error_code failure;
    auto token = asio::redirect_error(asio::use_awaitable, failure);
    co_await socket_.async_close(reason, std::move(token));
    co_return Elapsed{};
  }

  Exchange& exchange_;
  websocket::stream<StreamSocket> socket_;
  const SocketOffer offer_;
  const std::shared_ptr<AdapterDriver> driver_;
  const DoorLimits limits_;
  DoorTimes times_{};
};

}  // namespace

asio::awaitable<void> serve_socket(LiveServices& live, Exchange& exchange,
                                   std::unique_ptr<protocol::live::Adapter> adapter,
                                   SocketOffer offer, std::string principal) {
  auto admitting = live.admit(principal);
  auto place = co_await std::move(admitting);
  if (!place) {
    Response refusal = offer.refusal(place.error());
    co_return co_await exchange.send(std::move(refusal));
  }
  auto upgraded = exchange.upgrade();
  if (!upgraded) {
    Response refusal = offer.refusal(upgraded.error());
    refusal.headers.emplace_back("upgrade", "websocket");
    co_return co_await exchange.send(std::move(refusal));
  }
  AdapterDriver::Client client{.principal = std::move(principal), .trace = exchange.trace()};
  auto driver = std::make_shared<AdapterDriver>(live, std::move(adapter), std::move(client),
                                                *std::move(place));
  DoorLimits limits{.session = live.settings().most_time};
  Headers headers = std::move(upgraded->headers);
  headers.emplace_back("x-request-id", exchange.trace().request_id);
  if (!offer.subprotocol.empty()) {
    headers.emplace_back("sec-websocket-protocol", offer.subprotocol);
  }
  LiveSocket socket(exchange, std::move(upgraded->socket), std::move(offer), std::move(driver),
                    limits);
  auto running = socket.run(std::move(upgraded->request), std::move(headers));
  co_await std::move(running);
}

}  // namespace server
