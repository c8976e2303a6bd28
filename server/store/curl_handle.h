#pragma once

#include <curl/curl.h>

#include <memory>
#include <stop_token>
#include <string>

#include "server/store/error.h"

namespace server {

struct CloseCurl {
  void operator()(CURL* handle) const noexcept { curl_easy_cleanup(handle); }
};
using CurlHandle = std::unique_ptr<CURL, CloseCurl>;

struct FreeCurlList {
  void operator()(curl_slist* list) const noexcept { curl_slist_free_all(list); }
};
using CurlList = std::unique_ptr<curl_slist, FreeCurlList>;

// A handle with our limits and certificates set, for one request of `url`.
CurlHandle make_curl(const std::string& url, const std::string& bearer);

// Lets `stop`, which must outlive the request, end it. The request then gives
// CURLE_ABORTED_BY_CALLBACK.
void watch(CURL* curl, const std::stop_token& stop);

// The error for a request that was ended so.
StoreError stopped_request();

// The error for a request that failed below HTTP.
StoreError curl_error(const std::string& url, CURLcode code);

// The error for an answer that is not a success.
StoreError status_error(const std::string& url, long status);

}  // namespace server
