#include "server/live/socket_door.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "server/http/listener.h"
#include "tests/server/live/live_fixture.h"
#include "tests/server/live/scripted_adapter.h"

namespace server {
namespace {

namespace websocket = boost::beast::websocket;
using asio::ip::tcp;
using test::sound_of;

class Client {
 public:
  explicit Client(std::uint16_t port, const std::string& subprotocol = "") : socket_(io_) {
    socket_.next_layer().connect({asio::ip::address_v4::loopback(), port});
    if (!subprotocol.empty()) {
      socket_.set_option(websocket::stream_base::decorator([=](websocket::request_type& request) {
        request.set(boost::beast::http::field::sec_websocket_protocol, subprotocol);
      }));
    }
    socket_.handshake(answer_, "localhost", "/live", failure_);
  }
  // The status of the answer to the handshake.
  unsigned status() const { return answer_.result_int(); }
  std::string header(boost::beast::http::field name) const { return std::string(answer_[name]); }
  std::string body() const { return answer_.body(); }

  void say(const std::string& text) {
    socket_.text(true);
    socket_.write(asio::buffer(text));
  }
  void give(const std::string& bytes) {
    socket_.binary(true);
    socket_.write(asio::buffer(bytes));
  }
  // Reads until a frame begins so; returns nothing when the server has closed.
  std::string wait_for(const std::string& begin) {
    while (true) {
      boost::beast::flat_buffer frame;
      socket_.read(frame, failure_);
      if (failure_) return "";
      const std::string text = boost::beast::buffers_to_string(frame.data());
      if (text.starts_with(begin)) return text;
    }
  }
  int close_code() {
    wait_for("\xff");
    return socket_.reason().code;
  }

 private:
  asio::io_context io_;
  websocket::stream<tcp::socket> socket_;
  websocket::response_type answer_;
  boost::system::error_code failure_;
};

// The door behind an HTTP server, on a thread of its own.
class SocketDoorTest : public test::LiveFixture {
 protected:
  // Runs on the server's thread and waits for it.
  template <class Work>
  auto on_thread(Work work) {
    std::packaged_task<decltype(work())()> task(std::move(work));
    auto done = task.get_future();
    asio::post(io, [&task] { task(); });
    return done.get();
  }
  void SetUp() override {
    HttpServer::Settings settings{.addresses = {"127.0.0.1:0"}, .limits = limits};
    settings.dispatch = [this](Exchange& exchange) {
      return serve_socket(live, exchange, std::make_unique<test::ScriptedAdapter>(), offer, "ada");
    };
    server_.emplace(HttpServer::open(io.get_executor(), std::move(settings)).value());
    thread_ = std::thread([this] { io.run(); });
  }
  void TearDown() override {
    on_thread([this] {
      server_->stop_accepting();
      server_->close_all();
    });
    while (on_thread([this] { return server_->connections() + live.places().taken(); }) > 0) {
      std::this_thread::yield();
    }
    on_thread([this] { server_.reset(); });
    io.stop();
    thread_.join();
  }

  std::uint16_t port() {
    return on_thread([this] { return server_->port(); });
  }

  SocketOffer offer{.most_text = 1'000, .most_binary = 200'000};
  HttpLimits limits{};

 private:
  std::optional<HttpServer> server_{};
  std::thread thread_;
  asio::executor_work_guard<asio::io_context::executor_type> work_{io.get_executor()};
};

TEST_F(SocketDoorTest, SpeaksTheAdaptersProtocol) {
  Client client(port());
  EXPECT_EQ(client.wait_for("hello"), "hello");
  client.say("open");
  client.give(sound_of(2));
  client.say("commit");
  EXPECT_EQ(client.wait_for("turn"), "turn 1 0.0-2.0 w1 w2");
  client.say("close");
  EXPECT_EQ(client.close_code(), 4000);
}

TEST_F(SocketDoorTest, AnswersWithTheSubprotocolOfTheOffer) {
  offer.subprotocol = "spoken";
  Client client(port(), "spoken");
  EXPECT_EQ(client.status(), 101u);
  EXPECT_EQ(client.header(boost::beast::http::field::sec_websocket_protocol), "spoken");
  EXPECT_EQ(client.header(boost::beast::http::field::sec_websocket_extensions), "");
}

TEST_F(SocketDoorTest, RefusesBeforeTheUpgrade) {
  on_thread([this] { live.begin_stop(); });
  Client client(port());
  EXPECT_EQ(client.status(), 503u);
  EXPECT_NE(client.header(boost::beast::http::field::retry_after), "");
}

TEST_F(SocketDoorTest, MessagesHaveALimitEach) {
  Client talker(port());
  talker.say(std::string(1'001, 'x'));
  EXPECT_EQ(talker.close_code(), 1009);
  Client sender(port());
  sender.give(std::string(200'001, 'x'));
  EXPECT_EQ(sender.close_code(), 1009);
}

class SocketDoorWithLittleMemory : public SocketDoorTest {
 protected:
  SocketDoorWithLittleMemory() {
    offer.most_binary = 10'000'000;
    limits.held_body_bytes = 1'000'000;
    limits.body_patience = std::chrono::milliseconds(30);
  }
};

TEST_F(SocketDoorWithLittleMemory, AMessageWithoutRoomEndsItsSession) {
  Client client(port());
  client.give(std::string(5'000'000, 'x'));
  EXPECT_EQ(client.close_code(), 1013);
}

TEST_F(SocketDoorWithLittleMemory, MessagesGiveTheirRoomBack) {
  Client client(port());
  client.say("open");
  for (int i = 0; i < 5; ++i) client.give(sound_of(10));
  client.say("commit");
  EXPECT_TRUE(client.wait_for("turn").starts_with("turn 1 0.0-50.0"));
}

TEST_F(SocketDoorTest, AClientThatDoesNotReadIsLeft) {
  Client client(port());
  client.wait_for("hello");
  const std::string line = "say " + std::string(900, 'x');
  // More than the buffers of both sockets and the outbox hold.
  for (int i = 0; i < 20'000; ++i) client.say(line);
  EXPECT_EQ(client.close_code(), 1008);
}

TEST_F(SocketDoorTest, APlaceIsFreeAgainWhenItsClientIsGone) {
  {
    Client client(port());
    client.wait_for("hello");
    client.say("open");
    client.give(sound_of(1));
    EXPECT_EQ(on_thread([this] { return live.places().taken(); }), 1u);
  }
  while (on_thread([this] { return live.places().taken(); }) > 0) std::this_thread::yield();
}

}  // namespace
}  // namespace server
