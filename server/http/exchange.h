#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/fields.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/status.hpp>
#include <boost/beast/http/verb.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/base/error.h"
#include "server/base/trace.h"
#include "server/http/client_address.h"
#include "server/http/stream_socket.h"

namespace server {

namespace asio = boost::asio;
namespace http = boost::beast::http;

using Headers = std::vector<std::pair<std::string, std::string>>;

inline constexpr char late_error_trailer[] = "x-scribed-late-error";

struct Response {
  http::status status = http::status::ok;
  std::string body{};
  std::string content_type = "application/json";  // empty: there is no body
  Headers headers{};
  std::string error{};  // the code of the error that it tells, for the log; empty: none
  // How many bytes write() will send behind this head; nothing: nobody knows yet.
  std::optional<std::uint64_t> stream_bytes{};
};

// The socket of a client that asked for another protocol, and its request: the handler owns the
// socket and answers on it, as Beast's websocket::stream does in async_accept(request).
struct UpgradedSocket {
  StreamSocket socket;
  http::request<http::empty_body> request{};
  Headers headers{};  // of add_headers(); the answer must carry them
};

// One request and its answer, on the thread of its connection. Each exchange is answered once: by
// send(), by start_stream() and write()s, or by what upgrade() hands out. A handler that returns
// without an answer has answered with 500. The unread rest of a body is discarded, or the
// connection is closed.
class Exchange {
 public:
  virtual ~Exchange() = default;

  virtual http::verb method() const = 0;
  virtual std::string_view path() const = 0;  // without the query, percent-decoded, normalised
  // Returns the first value of that name in the query, decoded.
  virtual std::optional<std::string> query(std::string_view name) const = 0;
  // Returns all of the query, decoded.
  virtual const std::vector<std::pair<std::string, std::string>>& query_fields() const = 0;
  virtual const http::fields& headers() const = 0;
  virtual const Trace& trace() const = 0;  // its request_id is also in the answer's x-request-id
  // The client's address, without its port, or "unix:" and the number of its user. Behind a trusted
  // proxy it is that of the proxy's client.
  virtual const std::string& peer() const = 0;
  // The address of this server's end of the connection, "127.0.0.1:8080" or "[::1]:8080"; empty for
  // a socket in the file system.
  virtual const std::string& here() const = 0;
  // Where the client finds this server, as far as a trusted proxy tells.
  virtual const ForwardedUrl& url() const = 0;

  // Reads the next bytes of the body; returns 0 at its end. Errors: too_large (more than
  // allow_body()), too_slow, bad_request (broken framing), client_gone.
  virtual asio::awaitable<Result<std::size_t>> read_some(std::span<char> buffer) = 0;
  // Reads the whole body. Errors: too_large where it is longer than `limit`, and those of hold().
  virtual asio::awaitable<Result<std::string>> read_body(std::size_t limit) = 0;
  // Sets how many bytes the body may have. Call it before the first read; the default is 1 MiB.
  virtual void allow_body(std::uint64_t bytes) = 0;

  // Takes room in memory for so many bytes in all of this body, or of a message on the upgraded
  // socket: before they are read and until this exchange ends, or less is asked for. read_body()
  // does so itself, and who passes on what read_some() returns needs none. It waits a few seconds
  // where there is no room. Errors: too_many_requests (of the authenticated owner), overloaded.
  virtual asio::awaitable<Result<void>> hold(std::size_t bytes) = 0;

  // Tells who was authenticated, for the log and the owner's share of memory.
  virtual void name_key(std::string name) = 0;

  // Adds fields to the answer, whatever it will be, beside those of earlier calls. Once the head of
  // a stream was sent they go into its trailer, which a stream of known length does not have.
  virtual void add_headers(Headers headers) = 0;

  virtual asio::awaitable<void> send(Response response) = 0;

  // Begins an answer with status and headers; write() sends its parts. A handler that promised
  // their length and cannot keep it throws, which ends the connection.
  virtual asio::awaitable<void> start_stream(Response head) = 0;
  // Returns false if the client is gone, or does not read.
  virtual asio::awaitable<bool> write(std::string_view part) = 0;
  // Says that a stream ends in an error, although its head had status 200: the trailer
  // late_error_trailer has the error's code, as does the log.
  virtual void fail_stream(std::string code) = 0;
  // Hands over the socket of a GET with the field Upgrade; this exchange then counts as answered
  // with 101. The server counts the connection, and cancels the handler when it ends, until the
  // handler returns; deadlines on the socket are the handler's. Errors: bad_request (nothing asked
  // for it, or bytes came that had to wait for the answer).
  virtual Result<UpgradedSocket> upgrade() = 0;
  virtual bool has_answered() const = 0;

  // Waits until the client has closed the connection; it ends otherwise only by cancellation. Call
  // it after the body was read, and not while read_some() runs.
  virtual asio::awaitable<void> gone() = 0;
};

}  // namespace server
