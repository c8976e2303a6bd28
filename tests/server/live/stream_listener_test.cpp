#include "server/live/stream_listener.h"

#include <algorithm>
#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "server/live/stream_door.h"
#include "tests/server/live/live_fixture.h"
#include "tests/server/live/scripted_adapter.h"

namespace server {
namespace {

using asio::ip::tcp;

// A ScriptedAdapter to which the bytes of a stream are words.
class SessionAdapter final : public protocol::live::Adapter {
 public:
  // `pieces` counts what receive_bytes() is given.
  explicit SessionAdapter(int& pieces) : pieces_(pieces) {}

  protocol::live::Actions begin() override { return of_.begin(); }
  protocol::live::Actions receive_text(std::string_view text) override {
    return of_.receive_text(text);
  }
  protocol::live::Actions receive_bytes(std::string_view bytes) override {
    ++pieces_;
    return of_.receive_text(bytes);
  }
  protocol::live::Actions tell(int session, const protocol::TranscriptEvent& event) override {
    return of_.tell(session, event);
  }
  protocol::live::Actions tell_end(int session) override { return of_.tell_end(session); }
  protocol::live::Actions tell_failure(int session, const protocol::Error& error) override {
    return of_.tell_failure(session, error);
  }
  protocol::live::Actions tell_shutdown() override { return of_.tell_shutdown(); }

 private:
  int& pieces_;
  test::ScriptedAdapter of_{};
};

class StreamListenerTest : public test::LiveFixture {
 protected:
  void open(std::size_t connections = 4, const std::string& address = "127.0.0.1:0") {
    StreamListener::Settings settings{.address = address, .connections = connections};
    settings.serve = [this](StreamSocket socket, std::string peer,
                            std::shared_ptr<StreamConnection> connection) {
      clients.push_back(peer);
      return serve_stream(live, std::move(socket), std::make_unique<SessionAdapter>(pieces),
                          std::move(peer), std::move(connection));
    };
    listener.emplace(StreamListener::open(io.get_executor(), std::move(settings)).value());
  }
  tcp::socket connect(const asio::ip::address& to = asio::ip::address_v4::loopback()) {
    tcp::socket socket(io);
    socket.connect({to, listener->addresses().front().port});
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
  std::vector<std::string> clients;
  int pieces = 0;
};

TEST_F(StreamListenerTest, GivesEachConnectionItsAdapter) {
  open();
  auto first = connect(), second = connect();
  EXPECT_EQ(read_until(first, "hello"), "hello");
  EXPECT_EQ(read_until(second, "hello"), "hello");
  EXPECT_EQ(live.places().taken(), 0u) << "who only asks needs no place";
}

TEST_F(StreamListenerTest, WhoWaitsLongestWithoutASessionLeavesForTheNext) {
  open(2);
  auto first = connect();
  EXPECT_EQ(read_until(first, "hello"), "hello");
  auto second = connect();
  EXPECT_EQ(read_until(second, "hello"), "hello");
  first.send(asio::buffer(std::string("say again")));
  EXPECT_EQ(read_until(first, "again"), "again");
  auto third = connect();
  EXPECT_EQ(read_until(third, "hello"), "hello");
  EXPECT_EQ(read_until(second, "nothing"), "") << "it had said nothing";
  first.send(asio::buffer(std::string("say still here")));
  EXPECT_EQ(read_until(first, "here"), "still here");
  EXPECT_EQ(listener->connections(), 2u);
}

TEST_F(StreamListenerTest, NobodyLeavesWhoHasASession) {
  open(1);
  auto first = connect();
  first.send(asio::buffer(std::string("open")));
  test::run_until(io, [&] { return live.places().taken() == 1; });
  auto second = connect();
  EXPECT_EQ(read_until(second, "hello"), "");
  first.send(asio::buffer(std::string("finish")));
  EXPECT_EQ(read_until(first, "end"), "helloend");
  auto third = connect();
  EXPECT_EQ(read_until(third, "hello"), "hello");
  EXPECT_EQ(read_until(first, "nothing"), "");
}

TEST_F(StreamListenerTest, ClientsOfOneNetworkOfIpv6AreOne) {
  open(4, "[::1]:0");
  auto client = connect(asio::ip::address_v6::loopback());
  EXPECT_EQ(read_until(client, "hello"), "hello");
  EXPECT_EQ(clients, std::vector<std::string>{"::/64"});
}

TEST_F(StreamListenerTest, CarriesOutAFewPiecesOfAllConnectionsInAPass) {
  constexpr std::size_t pieces_of_one = 8;
  open(32);
  std::vector<tcp::socket> senders;
  for (int i = 0; i < 32; ++i) senders.push_back(connect());
  for (auto& sender : senders) EXPECT_EQ(read_until(sender, "hello"), "hello");
  for (auto& sender : senders) sender.send(asio::buffer(std::string(pieces_of_one << 12, 'x')));
  int most = 0, before = 0;
  bool is_over = false, has_ended = false;
  std::function<void()> end_pass = [&] {
    most = std::max(most, pieces - std::exchange(before, pieces));
    has_ended = is_over;
    if (!is_over) asio::post(io, end_pass);
  };
  end_pass();
  test::run_until(io, [&] { return pieces >= static_cast<int>(senders.size() * pieces_of_one); });
  is_over = true;
  test::run_until(io, [&] { return has_ended; });
  EXPECT_LE(most, StartQueue::most_starts);
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
