#pragma once

#include <curl/curl.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>

#include "server/models/error.h"
#include "server/models/http_access.h"

namespace server {

struct CloseCurl {
  void operator()(CURL* handle) const noexcept { curl_easy_cleanup(handle); }
};
using CurlHandle = std::unique_ptr<CURL, CloseCurl>;

struct FreeCurlList {
  void operator()(curl_slist* list) const noexcept { curl_slist_free_all(list); }
};
using CurlList = std::unique_ptr<curl_slist, FreeCurlList>;

struct FreeCurlUrl {
  void operator()(CURLU* url) const noexcept { curl_url_cleanup(url); }
};
using CurlUrl = std::unique_ptr<CURLU, FreeCurlUrl>;

struct FreeCurlText {
  void operator()(char* text) const noexcept { curl_free(text); }
};
using CurlText = std::unique_ptr<char, FreeCurlText>;

// Returns an address for messages: without the user and the password that it may hold.
std::string without_login(const std::string& url);

// Makes a handle with our limits set, for one request of `url`.
CurlHandle make_curl(const std::string& url, const HttpAccess& access);

// A request to a server that sends less than slowest_bytes_per_second for `time` is given up.
inline constexpr long slowest_bytes_per_second = 1000;
void set_patience(CURL* curl, std::chrono::seconds time);

// Ends a request when a stop is requested, or when it receives more than it may, including bodies
// that nobody wants (of redirects, of answers to HEAD). It must outlive the request, which then
// gives CURLE_ABORTED_BY_CALLBACK.
struct RequestWatch {
  const std::stop_token& stop;
  std::uint64_t max_bytes = 0;
  bool is_too_much = false;
};
void watch(CURL* curl, RequestWatch& watch);

// Returns the error for a request that its watch ended.
StoreError ended_request(const std::string& url, const RequestWatch& watch);
StoreError stopped_request();

// Returns the error for a request that failed below HTTP.
StoreError curl_error(const std::string& url, CURLcode code);

// Returns the error for an answer that is not a success.
StoreError status_error(const std::string& url, long status);

}  // namespace server
