#include <string>
#include <string_view>

#include "server/api/api.h"
#include "server/api/handlers.h"
#include "server/http/static_content.h"

namespace server::api {
namespace {

constexpr std::string_view page_head = R"(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>scribed</title>
<link rel="stylesheet" href="docs/style.css">
<h1>scribed</h1>
<p>Speech to text on this machine. OpenAI's clients work with this address as their base URL; the
whole description is in <a href="openapi.json">/openapi.json</a>.</p>
<pre>curl -F model=whisper-1 -F file=@talk.mp3 http://localhost:8080/v1/audio/transcriptions</pre>
<table>
)";

constexpr char style[] = R"(body {
  font: 16px/1.5 system-ui, sans-serif;
  max-width: 60rem;
  margin: 2rem auto;
  padding: 0 1rem;
}
td { padding: .2rem .8rem .2rem 0; vertical-align: top }
code { font-size: .95em }
)";

// All text of the table is scribed's own and needs no escaping, not even the braces of {id}.
std::string row(const Route& route) {
  return "<tr><td><code>" + std::string(http::to_string(route.method)) + "</code><td><code>" +
         std::string(route.path) + "</code><td>" + std::string(route.summary) + "\n";
}

std::string page() {
  std::string text(page_head);
  for (const auto& route : routes()) text += row(route);
  return text + "</table>\n";
}

}  // namespace

asio::awaitable<void> docs(Api&, ApiCall& call) {
  static const StaticContent content(
      page(), "text/html; charset=utf-8",
      {{"content-security-policy", "default-src 'none'; style-src 'self'"}});
  return call.exchange.send(content.answer(call.exchange.headers()));
}

asio::awaitable<void> docs_file(Api&, ApiCall& call) {
  static const StaticContent content(style, "text/css; charset=utf-8");
  if (call.id != "style.css") return send_not_found(call.exchange);
  return call.exchange.send(content.answer(call.exchange.headers()));
}

}  // namespace server::api
