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
<p>Speech to text on this machine: <a href="./">the page</a> for people, these routes for programs.
OpenAI's clients work with this address as their base URL; the whole description is in
<a href="openapi.json">/openapi.json</a>.</p>
<pre>curl -F model=whisper-1 -F file=@talk.mp3 http://localhost:8080/v1/audio/transcriptions</pre>
<table>
)";

// The colours and type are those of the page (web/src/css/tokens.css).
constexpr char style[] = R"(:root { color-scheme: light dark }
body {
  font: 1rem/1.5 system-ui, "Noto Sans", "DejaVu Sans", sans-serif;
  color: light-dark(#1f1d1a, #eceae6);
  background: light-dark(#fdfcfa, #16181a);
  max-width: 64rem;
  margin: 0 auto;
  padding: 1rem;
}
h1 { font-size: 1.5rem }
a { color: light-dark(#0f5f73, #6cc5dc) }
table { border-collapse: collapse }
td {
  padding: .25rem 1rem .25rem 0;
  vertical-align: top;
  border-top: 1px solid light-dark(#e2ded6, #2e3236);
}
code, pre { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .9em }
pre {
  padding: .75rem;
  background: light-dark(#f3f1ec, #101213);
  border-radius: 8px;
  overflow-x: auto;
}
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
