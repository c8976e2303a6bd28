#pragma once

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <iterator>
#include <string>
#include <utility>

#include "server/base/race.h"
#include "server/http/exchange.h"

namespace server::test {

// A request in memory, which keeps its answer.
class FakeExchange final : public Exchange {
 public:
  FakeExchange(http::verb method, std::string path) : method_(method), path_(std::move(path)) {
    fields.set(http::field::host, "localhost");
  }

  http::verb method() const override { return method_; }
  std::string_view path() const override { return path_; }
  std::optional<std::string> query(std::string_view name) const override {
    for (const auto& [key, value] : queries) {
      if (key == name) return value;
    }
    return std::nullopt;
  }
  const Headers& query_fields() const override { return queries; }
  const http::fields& headers() const override { return fields; }
  const Trace& trace() const override { return trace_; }
  void name_key(std::string name) override { key = std::move(name); }
  const std::string& peer() const override { return from; }
  const std::string& here() const override { return own_address; }
  const ForwardedUrl& url() const override { return forwarded; }
  asio::awaitable<Result<std::size_t>> read_some(std::span<char> buffer) override {
    if (body.size() > allowed_) co_return Error{errc::too_large, "too large"};
    const std::size_t count = std::min({buffer.size(), body.size() - read_, piece_bytes});
    std::memcpy(buffer.data(), body.data() + read_, count);
    read_ += count;
    co_return count;
  }
  asio::awaitable<Result<std::string>> read_body(std::size_t limit) override {
    if (body.size() > limit) co_return Error{errc::too_large, "too large"};
    co_return body;
  }
  void allow_body(std::uint64_t bytes) override { allowed_ = bytes; }
  asio::awaitable<Result<void>> hold(std::size_t bytes) override {
    if (bytes > room) co_return Error{errc::overloaded, "no room"};
    most_held = std::max(most_held, bytes);
    co_return Result<void>();
  }
  void add_headers(Headers headers) override {
    added.insert(added.end(), headers.begin(), headers.end());
  }
  asio::awaitable<void> send(Response response) override {
    ++answers;
    answer = std::move(response);
    co_return;
  }
  asio::awaitable<void> start_stream(Response head) override { return send(std::move(head)); }
  asio::awaitable<bool> write(std::string_view part) override {
    answer.body += part;
    if (on_write) on_write();
    co_return true;
  }
  void fail_stream(std::string code) override { answer.error = std::move(code); }
  Result<UpgradedSocket> upgrade() override { return Error{errc::bad_request, "not here"}; }
  bool has_answered() const override { return answers > 0; }
  asio::awaitable<void> gone() override {
    while (!has_left) co_await sleep_for(std::chrono::milliseconds(1));
  }

  bool was_read() const { return read_ > 0; }
  std::string header(std::string_view name) const {
    for (const Headers* headers : {&answer.headers, &added}) {
      for (const auto& [key, value] : *headers) {
        if (key == name) return value;
      }
    }
    return "";
  }

  http::fields fields{};
  ForwardedUrl forwarded{};
  std::string own_address = "127.0.0.1:8080";
  Headers queries{};
  std::string body{};
  std::string key{};
  std::string from = "127.0.0.1";
  std::size_t piece_bytes = 7;  // bytes of the body that one read returns
  Headers added{};
  std::size_t most_held = 0;           // bytes of the body, at once
  std::size_t room = std::size_t(-1);  // bytes of the body that may be held
  Response answer{};
  int answers = 0;
  std::function<void()> on_write{};  // called behind each part of a stream
  bool has_left = false;             // the client

 private:
  http::verb method_;
  std::string path_;
  Trace trace_{.request_id = "request"};
  std::uint64_t allowed_ = 1 << 20;
  std::size_t read_ = 0;
};

}  // namespace server::test
