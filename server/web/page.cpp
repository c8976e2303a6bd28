#include "server/web/page.h"

#include <algorithm>
#include <string>

#include "server/web/gzip.h"

namespace server::web {
namespace {

constexpr std::string_view html_type = "text/html; charset=utf-8";

constexpr std::string_view no_page = R"(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>scribed</title>
<link rel="stylesheet" href="docs/style.css">
<h1>scribed</h1>
<p>This scribed was built without its page. Its <a href="docs">REST API</a> and its command line do all
that the page would do.</p>
<p>To have the page: run <code>./scripts/setup</code>, which fetches Node, and build again.</p>
)";

// Nothing comes from elsewhere, nothing is written into the page as code, and no other page may
// have this one in a frame.
constexpr char policy[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "media-src 'self' blob:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'";

Headers page_headers() {
  return {{"content-security-policy", policy},
          {"cross-origin-opener-policy", "same-origin"},
          {"cross-origin-resource-policy", "same-origin"},
          {"referrer-policy", "no-referrer"},
          {"permissions-policy", "microphone=(self), camera=(), geolocation=()"}};
}

// The front page is another one for programs, and another one without gzip.
Headers front_headers(bool packed) {
  Headers headers = page_headers();
  headers.emplace_back("vary", "accept, accept-encoding");
  if (packed) headers.emplace_back("content-encoding", "gzip");
  return headers;
}

const PageFile* find(const PageFiles& page, std::string_view name) {
  const auto found = std::ranges::find(page.files, name, &PageFile::name);
  return found == page.files.end() ? nullptr : &*found;
}

StaticContent front_content(const PageFiles& page, bool packed) {
  const PageFile* index = find(page, "index.html");
  const std::string text = index == nullptr ? std::string(no_page) : inflated(index->gzip);
  const bool is_gzip = packed && index != nullptr;
  return StaticContent(is_gzip ? std::string(index->gzip) : text, std::string(html_type),
                       front_headers(is_gzip));
}

bool takes_gzip(const http::fields& request) {
  return accepts_gzip(request[http::field::accept_encoding]);
}

}  // namespace

Page::Page(PageFiles files)
    : files_(files), packed_(front_content(files, true)), plain_(front_content(files, false)) {}

Response Page::front(const http::fields& request) const {
  return (takes_gzip(request) ? packed_ : plain_).answer(request);
}

std::optional<Response> Page::file(std::string_view path, const http::fields& request) const {
  if (files_.hash.empty() || !path.starts_with(files_.hash)) return std::nullopt;
  path.remove_prefix(files_.hash.size());
  if (!path.starts_with('/')) return std::nullopt;
  const PageFile* file = find(files_, path.substr(1));
  if (file == nullptr || file->name == "index.html") return std::nullopt;

  const bool packed = takes_gzip(request);
  Response response{.body = packed ? std::string(file->gzip) : inflated(file->gzip),
                    .content_type = std::string(file->content_type),
                    .headers = page_headers()};
  response.headers.emplace_back("cache-control", "public, max-age=31536000, immutable");
  response.headers.emplace_back("vary", "accept-encoding");
  if (packed) response.headers.emplace_back("content-encoding", "gzip");
  return response;
}

}  // namespace server::web
