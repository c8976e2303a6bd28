#include "server/live/stream_listener.h"

#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <memory>
#include <string>
#include <vector>

#include "server/live/stream_door.h"
#include "tests/server/live/live_fixture.h"
#include "tests/server/live/scripted_adapter.h"

namespace server {
namespace {

using asio::ip::tcp;

class StreamListenerTest : public test::LiveFixture {
 protected:
  void open(std::size_t connections = 4) {
    StreamListener::Settings settings{.address = "127.0.0.1:0", .connections = connections};
    settings.serve = [this](StreamSocket socket, std::string peer) {
      return serve_stream(live, std::move(socket), std::make_unique<test::ScriptedAdapter>(),
                          std::move(peer));
    };
    listener.emplace(StreamListener::open(io.get_executor(), std::move(settings)).value());
  }
  tcp::socket connect() {
    tcp::socket socket(io);
    socket.connect({asio::ip::address_v4::loopback(), listener->addresses().front().port});
    socket.non_blocking(true);
    return socket;
  }
  // Reads until the text is there, or the server has closed.
  std::string read_until(tcp::socket& socket, const std::string& end) {
    std::string text;
    boost::system::error_code failure;
    test::run_until(io, [&] {
      std::array<char, 512> piece;
      const auto count = socket.read_some(asio::buffer(piece), failure);
      text.append(piece.data(), count);
      const bool is_over = failure && failure != asio::error::would_block;
      return text.find(end) != text.npos || is_over;
    });
    return text;
  }
  void TearDown() override {
    listener->close_all();
    test::run_until(io, [&] { return listener->connections() == 0; });
  }

  std::optional<StreamListener> listener;
};

TEST_F(StreamListenerTest, GivesEachConnectionItsAdapter) {
  open();
  auto first = connect(), second = connect();
  EXPECT_EQ(read_until(first, "hello"), "hello");
  EXPECT_EQ(read_until(second, "hello"), "hello");
  EXPECT_EQ(live.places().taken(), 0u) << "who only asks needs no place";
}

TEST_F(StreamListenerTest, LeavesThoseForWhomThereIsNoRoom) {
  open(1);
  auto first = connect();
  EXPECT_EQ(read_until(first, "hello"), "hello");
  auto second = connect();
  EXPECT_EQ(read_until(second, "hello"), "");
  first.close();
  test::run_until(io, [&] { return listener->connections() == 0; });
  auto third = connect();
  EXPECT_EQ(read_until(third, "hello"), "hello");
}

TEST_F(StreamListenerTest, EndsAllWithTheServer) {
  open();
  auto client = connect();
  EXPECT_EQ(read_until(client, "hello"), "hello");
  listener->stop_accepting();
  live.begin_stop();
  EXPECT_EQ(read_until(client, "nothing"), "shutdown");
}

TEST_F(StreamListenerTest, ReadsWhatAClientStillSendsBehindTheEnd) {
  open();
  auto client = connect();
  EXPECT_EQ(read_until(client, "hello"), "hello");
  live.begin_stop();
  EXPECT_EQ(read_until(client, "nothing"), "shutdown");
  for (int i = 0; i < 20; ++i) {
    boost::system::error_code failure;
    client.write_some(asio::buffer(std::string(1000, '\0')), failure);
    ASSERT_FALSE(failure) << failure.message();
    io.run_one_for(std::chrono::milliseconds(1));
  }
  client.close();
  test::run_until(io, [&] { return listener->connections() == 0; });
}

}  // namespace
}  // namespace server
