#include "server/models/http.h"

#include "server/models/curl_handle.h"
#include "server/models/http_headers.h"

namespace server {

// The limit of an answer's body, which nobody reads.
constexpr std::uint64_t max_answer_bytes = 1 << 20;

StoreResult<RemoteFile> describe(const std::string& first_url, const HttpAccess& access,
                                 const Observer& observer) {
  std::string url = first_url;
  RemoteFile found;
  for (int hop = 0; hop < 8; ++hop) {
    HttpHeaders headers;
    const CurlHandle handle =
        make_curl(url, hop == 0 ? access : HttpAccess{.certificates = access.certificates});
    CURL* curl = handle.get();
    curl_easy_setopt(curl, CURLOPT_NOBODY, 1L);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT, 60L);
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, HttpHeaders::on_header);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, &headers);
    RequestWatch limits{observer.stop, max_answer_bytes};
    watch(curl, limits);
    const CURLcode code = curl_easy_perform(curl);
    if (code == CURLE_ABORTED_BY_CALLBACK) return ended_request(url, limits);
    if (code != CURLE_OK) return curl_error(url, code);
    long status = 0;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    if (status >= 400) return status_error(url, status);
    if (!found.commit) found.commit = headers.text("x-repo-commit");
    found.linked_etag = unquoted(headers.text("x-linked-etag"));
    found.linked_size = headers.number("x-linked-size");
    if (status < 300) {
      found.etag = unquoted(headers.text("etag"));
      found.content_length = headers.number("content-length");
      return found;
    }
    if (found.linked_etag) return found;
    const char* next = nullptr;
    curl_easy_getinfo(curl, CURLINFO_REDIRECT_URL, &next);
    if (next == nullptr) return status_error(url, status);
    const bool downgrade =
        url.starts_with("https:") && !std::string_view(next).starts_with("https:");
    if (downgrade) {
      return StoreError{StoreErrc::wrong_content,
                        without_login(url) + " redirects to an unprotected address", ""};
    }
    url = next;
  }
  return StoreError{StoreErrc::unreachable, without_login(first_url) + ": too many redirects", ""};
}

}  // namespace server
