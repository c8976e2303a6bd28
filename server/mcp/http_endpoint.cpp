#include "server/mcp/http_endpoint.h"

#include <algorithm>
#include <boost/asio/use_awaitable.hpp>
#include <functional>
#include <numeric>
#include <stop_token>
#include <utility>
#include <vector>

#include "protocol/error_text.h"
#include "server/base/fair_calls.h"

namespace server {

namespace mcp = protocol::mcp;
using protocol::jsonrpc::error_message;

namespace {

// A message of this size takes longer to be parsed than others should wait.
constexpr std::size_t long_body_bytes = 64 << 10;

// Keeps a POST in a list for as long as this object lives.
class Listed {
 public:
  Listed(std::list<HttpPost*>& list, HttpPost& post) : list_(list), post_(post) {
    list_.push_back(&post_);
  }
  Listed(const Listed&) = delete;
  ~Listed() { list_.remove(&post_); }

 private:
  std::list<HttpPost*>& list_;
  HttpPost& post_;
};

mcp::HeaderLookup lookup(const http::fields& fields) {
  return [&fields](std::string_view name) -> std::optional<std::string> {
    const auto field = fields.find(boost::core::string_view(name.data(), name.size()));
    if (field == fields.end()) return std::nullopt;
    const std::string_view value(field->value().data(), field->value().size());
    const auto begin = value.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return std::string();
    return std::string(value.substr(begin, value.find_last_not_of(" \t") - begin + 1));
  };
}

Response refused(int status, std::string message) {
  const int code =
      status >= 500 ? protocol::jsonrpc::internal_error : protocol::jsonrpc::invalid_request;
  return json_response(status, error_message({}, {code, std::move(message), {}}));
}

// Where there is no room for a body now, there may be some later.
Response refused_body(const Error& error) {
  const int status = http_status(error.code);
  Response response = refused(status, protocol::error_text(error));
  if (status == 429 || status == 503) response.headers = {{"Retry-After", "5"}};
  return response;
}

Response wrong_verb() {
  Response response =
      refused(405, "This path does not take that method. Send MCP's messages by POST.");
  response.headers = {{"Allow", "POST"}};
  return response;
}

// Returns whether the message, which came by another POST, is about a request of this one.
bool concerns(const mcp::Connection& connection, const mcp::Json& message) {
  if (!message.contains("method")) {
    const auto id = message.find("id");
    return id != message.end() && id->is_string() && connection.has_asked(id->get<std::string>());
  }
  if (message["method"] != "notifications/cancelled" || !message.contains("params")) return false;
  const auto id = message["params"].find("requestId");
  return id != message["params"].end() && connection.is_in_flight(*id);
}

class Counted {
 public:
  explicit Counted(std::size_t& count, std::size_t number = 1) : count_(count), number_(number) {
    count_ += number_;
  }
  Counted(const Counted&) = delete;
  ~Counted() { count_ -= number_; }

 private:
  std::size_t& count_;
  std::size_t number_;
};

Response too_many(const mcp::Json& id, const char* what) {
  Response response =
      json_response(429, error_message(id, {protocol::jsonrpc::invalid_request, what, {}}));
  response.headers = {{"Retry-After", "5"}};
  return response;
}

mcp::Json id_of(const mcp::Json& message) {
  return message.is_object() ? message.value("id", mcp::Json()) : mcp::Json();
}

// Returns the bytes of sound that a message carries. The rest of the message is kept while its call
// runs.
std::size_t sound_bytes(const mcp::Json& body) {
  if (body.is_array()) {
    const auto add = [](std::size_t sum, const mcp::Json& one) { return sum + sound_bytes(one); };
    return std::accumulate(body.begin(), body.end(), std::size_t{0}, add);
  }
  const mcp::Json* at = &body;
  for (const char* key : {"params", "arguments", "audio_base64"}) {
    if (!at->is_object() || !at->contains(key)) return 0;
    at = &(*at)[key];
  }
  const auto* text = at->get_ptr<const std::string*>();
  return text ? text->size() : 0;
}

Response too_long(const mcp::Json& id) {
  constexpr char what[] = "The message is too long: only audio_base64 may be. Send less.";
  return json_response(413, error_message(id, {protocol::jsonrpc::invalid_request, what, {}}));
}

// Returns how many messages of a batch wait for an answer.
std::size_t calls_of(const mcp::Json& batch) {
  const auto is_call = [](const mcp::Json& one) {
    return one.is_object() && one.contains("method") && one.contains("id");
  };
  return static_cast<std::size_t>(std::ranges::count_if(batch, is_call));
}

// Returns the number of requests in a body. A batch with more than `most` is refused as a whole,
// whatever else is open.
std::size_t requests_of(const mcp::Json& body, std::size_t most) {
  return body.is_array() ? std::min(body.size(), most) : 1;
}

}  // namespace

McpHttpEndpoint::McpHttpEndpoint(asio::any_io_executor executor, const mcp::Features& features,
                                 CallHandler& handler, Settings settings)
    : executor_(std::move(executor)),
      features_(features),
      handler_(handler),
      settings_(std::move(settings)) {}

asio::awaitable<void> McpHttpEndpoint::handle(Exchange& exchange, std::string principal,
                                              Charge charge) {
  const auto header = lookup(exchange.headers());
  Response refusal{.status = http::status::ok};
  if (exchange.method() != http::verb::post) {
    refusal = wrong_verb();
  } else if (const int status = mcp::check_media_types(header); status == 415) {
    refusal = refused(status, "the body must be application/json");
  } else if (status == 406) {
    refusal = refused(status, "the answer is application/json, which Accept does not name");
  } else if (is_closed_) {
    refusal = refused(503, "scribed is about to end");
  }
  if (refusal.status != http::status::ok) {
    co_await exchange.send(std::move(refusal));
    co_return;
  }
  exchange.allow_body(settings_.body_bytes);
  auto body = co_await exchange.read_body(settings_.body_bytes);
  if (!body) {
    auto response = refused_body(body.error());
    co_await exchange.send(std::move(response));
    co_return;
  }
  const std::size_t bytes = body->size();
  auto checking = check(exchange, principal, *std::move(body));
  auto checked = co_await std::move(checking);
  if (!checked) {
    auto response = refused_body(checked.error());
    co_await exchange.send(std::move(response));
    co_return;
  }
  const auto* posted = std::get_if<mcp::Posted>(&*checked);
  if (posted && bytes > settings_.text_bytes + sound_bytes(posted->body)) {
    auto refusal_of_it = too_long(id_of(posted->body));
    co_await exchange.send(std::move(refusal_of_it));
    co_return;
  }
  if (posted && posted->kind == mcp::Posted::Kind::batch) {
    if (auto too_fast = charge(calls_of(posted->body))) {
      co_await exchange.send(*std::move(too_fast));
      co_return;
    }
  }
  co_await answer(exchange, header, *std::move(checked), std::move(principal));
}

// Parses a message, on another thread where it is long. That one has the header for itself, since
// the exchange may end before it does.
asio::awaitable<Result<McpHttpEndpoint::Checked>> McpHttpEndpoint::check(const Exchange& exchange,
                                                                         std::string principal,
                                                                         std::string body) const {
  if (!settings_.threads || body.size() < long_body_bytes) {
    co_return mcp::check_post(features_, lookup(exchange.headers()), body);
  }
  std::function<Result<Checked>(std::stop_token)> work =
      [features = features_, fields = exchange.headers(),
       body = std::move(body)](std::stop_token) -> Result<Checked> {
    return mcp::check_post(features, lookup(fields), body);
  };
  auto checking = settings_.threads->run<Checked>(std::move(principal), std::move(work));
  auto checked = co_await std::move(checking);
  co_return checked;
}

asio::awaitable<void> McpHttpEndpoint::answer(Exchange& exchange, const mcp::HeaderLookup& header,
                                              Checked checked, std::string principal) {
  if (const auto* no = std::get_if<mcp::Refusal>(&checked)) {
    auto response = json_response(no->status, no->message);
    co_await exchange.send(std::move(response));
    co_return;
  }
  auto& posted = std::get<mcp::Posted>(checked);
  using Kind = mcp::Posted::Kind;
  if (posted.kind == Kind::notification || posted.kind == Kind::response) {
    pass_on(posted.body, principal);
    Response accepted{.status = http::status::accepted, .content_type = ""};
    co_await exchange.send(std::move(accepted));
    co_return;
  }
  co_await answer_requests(exchange, header, std::move(posted), std::move(principal));
}

asio::awaitable<void> McpHttpEndpoint::answer_requests(Exchange& exchange,
                                                       const mcp::HeaderLookup& header,
                                                       mcp::Posted posted, std::string principal) {
  Share& share = shares_[principal];
  const std::size_t number = requests_of(posted.body, settings_.max_requests);
  if (share.requests + number > settings_.max_requests) {
    auto refusal = too_many(id_of(posted.body), "too many of your requests are open");
    co_await exchange.send(std::move(refusal));
    co_return;
  }
  HttpPost post(executor_, features_, handler_,
                {.principal = std::move(principal),
                 .trace = exchange.trace(),
                 .era = posted.era,
                 .revision = posted.era == mcp::Era::legacy ? posted.revision
                                                            : std::string(mcp::newest_legacy),
                 .may_stream = mcp::accepts_event_stream(header),
                 .keep_alive = settings_.keep_alive});
  const Listed listed(posts_, post);
  if (is_closed_) post.close();
  co_await answer_all(post, exchange, std::move(posted.body), share);
}

asio::awaitable<void> McpHttpEndpoint::answer_all(HttpPost& post, Exchange& exchange,
                                                  mcp::Json body, Share& share) {
  {
    const Counted open(share.requests, requests_of(body, settings_.max_requests));
    const bool is_answered = co_await post.answer(exchange, std::move(body));
    if (is_answered) co_return;
  }
  const Listed left(share.left, post);
  if (share.left.size() > settings_.max_left) {
    share.left.front()->let_go();
    share.left.pop_front();
  }
  co_await post.end();
}

void McpHttpEndpoint::pass_on(const mcp::Json& message, const std::string& principal) {
  std::vector<HttpPost*> meant;
  for (auto* post : posts_) {
    const bool same = post->principal() == principal;
    if (same && concerns(post->server().connection(), message)) meant.push_back(post);
  }
  // Two programs of one user may number their requests alike; neither may end the other's call.
  if (meant.size() == 1) meant.front()->receive(message);
}

void McpHttpEndpoint::resource_updated(const std::string& principal, const std::string& uri) {
  for (auto* post : posts_) {
    if (post->principal() == principal) post->server().resource_updated(uri);
  }
}

void McpHttpEndpoint::resources_changed(const std::string& principal) {
  for (auto* post : posts_) {
    if (post->principal() == principal) post->server().resources_changed();
  }
}

void McpHttpEndpoint::close() {
  is_closed_ = true;
  for (auto* post : posts_) post->close();
}

}  // namespace server
