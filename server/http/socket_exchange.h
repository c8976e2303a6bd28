#pragma once

#include <string>

#include "server/http/answer_head.h"
#include "server/http/body_room.h"
#include "server/http/exchange.h"
#include "server/http/request_body.h"
#include "server/http/start_queue.h"

namespace server {

// An exchange on a connection, which asks it afterwards what became of it.
class SocketExchange final : public Exchange {
 public:
  // The queue in which this request takes its turns, and the client whose turn it is.
  struct Turn {
    StartQueue& starts;
    StartQueue::Client client{};
  };

  // `bodies` and the queue must outlive this object. `is_last` is read when the answer begins:
  // where it is true, the connection ends with this answer, whatever the client wants.
  SocketExchange(TimedSocket& socket, boost::beast::flat_buffer& buffer, const HttpLimits& limits,
                 RequestHead head, RequestSource source, BodyRoom& bodies, Turn turn,
                 const bool& is_last);

  http::verb method() const override { return head_.method; }
  std::string_view path() const override { return head_.target.path; }
  std::optional<std::string> query(std::string_view name) const override;
  const std::vector<std::pair<std::string, std::string>>& query_fields() const override;
  const http::fields& headers() const override { return head_.fields; }
  const Trace& trace() const override { return trace_; }
  const std::string& peer() const override { return source_.peer; }
  const std::string& here() const override { return source_.here; }
  const ForwardedUrl& url() const override { return source_.url; }

  asio::awaitable<Result<std::size_t>> read_some(std::span<char> buffer) override;
  asio::awaitable<Result<std::string>> read_body(std::size_t limit) override;
  void allow_body(std::uint64_t bytes) override { body_.allow(bytes); }
  asio::awaitable<Result<void>> hold(std::size_t bytes) override { return room_.hold(key_, bytes); }

  void name_key(std::string name) override { key_ = std::move(name); }
  void add_headers(Headers headers) override;
  asio::awaitable<void> send(Response response) override;
  asio::awaitable<void> start_stream(Response head) override;
  asio::awaitable<bool> write(std::string_view part) override;
  void fail_stream(std::string code) override;
  Result<UpgradedSocket> upgrade() override;
  bool has_answered() const override { return status_ != 0; }
  asio::awaitable<void> gone() override;

  // Ends a stream whose parts are complete. Returns true if the connection can take the next
  // request.
  asio::awaitable<bool> finish();

  // Since when only the client is waited for: to read an answer that is complete, to send the rest
  // of its body behind that, or to send any of the body where nobody was authenticated. Whoever was
  // has no more connections than an owner may.
  std::optional<TimedSocket::Clock::time_point> waits_since() const {
    if (answered_since_) return answered_since_;
    return key_.empty() ? body_.waits_since() : std::nullopt;
  }

  const RequestHead& head() const { return head_; }
  const RequestBody& body() const { return body_; }
  const std::string& key() const { return key_; }  // empty: nobody was authenticated
  int status() const { return status_; }           // 0: no answer yet
  std::uint64_t bytes_out() const { return bytes_out_; }
  const std::string& error() const { return error_; }               // the code that the answer told
  bool client_has_left() const { return client_has_left_; }         // noticed by gone()
  const std::optional<Error>& failure() const { return failure_; }  // of sending the answer

 private:
  void begin_answer(Response& response);
  asio::awaitable<void> write_parts(std::span<const std::string_view> parts);

  TimedSocket& socket_;
  boost::beast::flat_buffer& buffer_;
  const HttpLimits& limits_;
  const RequestHead head_;
  const RequestSource source_;
  const Trace trace_;
  std::string key_{};
  std::string error_{};
  Headers trailers_{};
  const Turn turn_;
  const bool& is_last_;
  RequestBody body_;
  BodyRoom::Share room_;
  Headers more_headers_{};
  int status_ = 0;
  bool keep_alive_ = false;
  bool is_stream_ = false;
  bool is_chunked_ = false;
  std::optional<TimedSocket::Clock::time_point> answered_since_{};
  bool client_has_left_ = false;
  std::uint64_t bytes_out_ = 0;
  std::optional<Error> failure_{};
};

}  // namespace server
