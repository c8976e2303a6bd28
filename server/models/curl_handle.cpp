#include "server/models/curl_handle.h"

#include <stdexcept>

namespace server {
namespace {

constexpr char network_fix[] =
    "Check the network and https_proxy, or set HF_ENDPOINT to a mirror. On a machine without "
    "network copy a model here and use: scribed models import PATH --name NAME";

// libcurl must be initialised once, before any thread uses it; a function's static ensures both.
void initialise() {
  static const CURLcode done = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (done != CURLE_OK) throw std::runtime_error("[store] libcurl cannot be initialised");
}

int on_tick(void* user, curl_off_t, curl_off_t received, curl_off_t, curl_off_t) {
  auto& watch = *static_cast<RequestWatch*>(user);
  watch.is_too_much = static_cast<std::uint64_t>(received) > watch.max_bytes;
  return watch.is_too_much || watch.stop.stop_requested() ? 1 : 0;
}

}  // namespace

std::string without_login(const std::string& url) {
  const auto at = url.rfind('@');
  if (at == url.npos) return url;
  constexpr unsigned any = CURLU_NON_SUPPORT_SCHEME | CURLU_GUESS_SCHEME;
  const CurlUrl parts(curl_url());
  char* whole = nullptr;
  if (!parts || curl_url_set(parts.get(), CURLUPART_URL, url.c_str(), any) != CURLUE_OK ||
      curl_url_set(parts.get(), CURLUPART_USER, nullptr, 0) != CURLUE_OK ||
      curl_url_set(parts.get(), CURLUPART_PASSWORD, nullptr, 0) != CURLUE_OK ||
      curl_url_get(parts.get(), CURLUPART_URL, &whole, 0) != CURLUE_OK) {
    return url.substr(at + 1);  // a login stands before the last @
  }
  return CurlText(whole).get();
}

CurlHandle make_curl(const std::string& url, const HttpAccess& access) {
  initialise();
  CurlHandle handle(curl_easy_init());
  if (!handle) throw std::bad_alloc();
  CURL* curl = handle.get();
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_USERAGENT, "scribed");
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  // A file that was asked for over TLS is never taken from a redirect to plain HTTP.
  curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR,
                   url.starts_with("https:") ? "https" : "http,https");
  curl_easy_setopt(curl, CURLOPT_MAXREDIRS, 8L);
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, 15L);
  set_patience(curl, std::chrono::seconds(30));
  if (!access.certificates.empty()) {
    curl_easy_setopt(curl, CURLOPT_CAINFO, access.certificates.c_str());
  }
  if (!access.bearer.empty()) {
    // libcurl does not send the token to another host, where a redirect may lead.
    curl_easy_setopt(curl, CURLOPT_HTTPAUTH, static_cast<long>(CURLAUTH_BEARER));
    curl_easy_setopt(curl, CURLOPT_XOAUTH2_BEARER, access.bearer.c_str());
  }
  return handle;
}

void set_patience(CURL* curl, std::chrono::seconds time) {
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, slowest_bytes_per_second);
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, static_cast<long>(time.count()));
}

void watch(CURL* curl, RequestWatch& watch) {
  curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(curl, CURLOPT_XFERINFODATA, &watch);
  curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, on_tick);
}

StoreError ended_request(const std::string& url, const RequestWatch& watch) {
  if (!watch.is_too_much) return stopped_request();
  return {StoreErrc::wrong_content,
          without_login(url) + ": the server sends more than the " +
              std::to_string(watch.max_bytes) + " bytes that its answer may have",
          "Check HF_ENDPOINT, or take another source with --source."};
}

StoreError stopped_request() {
  return {StoreErrc::cancelled, "the download was stopped", "The next pull resumes here."};
}

StoreError curl_error(const std::string& url, CURLcode code) {
  return {StoreErrc::unreachable,
          "cannot fetch " + without_login(url) + ": " + curl_easy_strerror(code), network_fix};
}

StoreError status_error(const std::string& url, long status) {
  const std::string message =
      without_login(url) + ": the server answered " + std::to_string(status);
  switch (status) {
    case 401:
    case 403:
      return {StoreErrc::refused, message,
              "Set HF_TOKEN to an access token that may read this repository."};
    case 404:
    case 410:
      return {StoreErrc::not_on_server, message,
              "Check HF_ENDPOINT, or take another source with --source."};
    default:
      return {StoreErrc::unreachable, message, network_fix};
  }
}

}  // namespace server
