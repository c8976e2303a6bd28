#include "server/outbound/outbound_call.h"

#include <curl/curl.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <boost/asio/ip/address.hpp>
#include <cstring>
#include <memory>
#include <new>

#include "server/base/private_fds.h"
#include "server/outbound/public_address.h"

namespace server {
namespace {

namespace ip = boost::asio::ip;

struct CloseHandle {
  void operator()(CURL* handle) const noexcept { curl_easy_cleanup(handle); }
};
struct FreeList {
  void operator()(curl_slist* list) const noexcept { curl_slist_free_all(list); }
};
using HeaderList = std::unique_ptr<curl_slist, FreeList>;

// The bytes that are read of an answer that nobody uses: an error's page, or what a webhook's
// receiver says.
constexpr std::uint64_t unwanted_bytes = 64 * 1024;
// With those behind the body: libcurl keeps all, and some versions as many as there are.
constexpr std::uint64_t most_header_bytes = 64 * 1024;

// The state that the callbacks of one transfer share.
struct Transfer {
  const OutboundCall& call;
  CURL* curl;
  std::uint64_t received = 0;
  std::uint64_t header_bytes = 0;
  bool has_enough = false;              // the rest of the answer is not needed
  std::optional<Error> failure{};       // found by a callback, which then ended the transfer
  std::optional<std::string> closed{};  // the address that the rules forbade
};

std::optional<ip::address> address_of(const curl_sockaddr& peer) {
  if (peer.family == AF_INET) {
    sockaddr_in in{};
    std::memcpy(&in, &peer.addr, sizeof in);
    return ip::address_v4(ntohl(in.sin_addr.s_addr));
  }
  if (peer.family == AF_INET6) {
    sockaddr_in6 in{};
    std::memcpy(&in, &peer.addr, sizeof in);
    ip::address_v6::bytes_type bytes;
    std::memcpy(bytes.data(), &in.sin6_addr, bytes.size());
    return ip::address_v6(bytes, in.sin6_scope_id);
  }
  return std::nullopt;
}

// libcurl asks this for each address that it is about to connect to.
curl_socket_t open_socket(void* user, curlsocktype, curl_sockaddr* peer) {
  auto& transfer = *static_cast<Transfer*>(user);
  const auto address = address_of(*peer);
  if (!address || (!transfer.call.url.is_own && !is_public_address(*address))) {
    transfer.closed = address ? address->to_string() : "?";
    return CURL_SOCKET_BAD;
  }
  return private_socket(peer->family, peer->socktype, peer->protocol);
}

std::size_t count_header(char*, std::size_t, std::size_t size, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  transfer.header_bytes += size;
  if (transfer.header_bytes <= most_header_bytes) return size;
  transfer.failure =
      Error{errc::unreachable, transfer.call.url.host + " answers with too many headers",
            "Check the address."};
  return 0;
}

std::size_t take_bytes(char* data, std::size_t, std::size_t size, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  transfer.received += size;
  long status = 0;
  curl_easy_getinfo(transfer.curl, CURLINFO_RESPONSE_CODE, &status);
  const bool is_wanted = transfer.call.on_bytes && status >= 200 && status <= 299;
  if (!is_wanted && transfer.received > unwanted_bytes) {
    transfer.has_enough = true;
    return 0;
  }
  if (!is_wanted) return size;
  if (transfer.received > transfer.call.max_bytes) {
    transfer.failure = Error{errc::too_large, "the file at the URL is too large",
                             "Send a shorter or compressed recording."};
    return 0;
  }
  if (const auto taken = transfer.call.on_bytes({data, size}); !taken) {
    transfer.failure = taken.error();
    return 0;
  }
  return size;
}

int on_tick(void* user, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return static_cast<Transfer*>(user)->call.stop.stop_requested() ? 1 : 0;
}

void set_rules(CURL* curl, Transfer& transfer, long limit_ms) {
  const OutboundUrl& url = transfer.call.url;
  curl_easy_setopt(curl, CURLOPT_URL, url.text.c_str());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, url.is_own ? "https,http" : "https");
  curl_easy_setopt(curl, CURLOPT_PROXY, "");
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_USERAGENT, "scribed");
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, limit_ms);
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, std::min(limit_ms, 15'000L));
  // Less than 1 KiB a second for half a minute is a dead connection.
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1024L);
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, 30L);
  if (transfer.call.on_bytes) {
    // A size that is announced is refused before it is read.
    curl_easy_setopt(curl, CURLOPT_MAXFILESIZE_LARGE,
                     static_cast<curl_off_t>(transfer.call.max_bytes));
  }
  curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, open_socket);
  curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, &transfer);
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, count_header);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, &transfer);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_bytes);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &transfer);
  curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, on_tick);
  curl_easy_setopt(curl, CURLOPT_XFERINFODATA, &transfer);
}

HeaderList set_request(CURL* curl, const OutboundCall& call) {
  HeaderList list;
  for (const auto& header : call.headers) {
    curl_slist* grown = curl_slist_append(list.get(), header.c_str());
    if (grown == nullptr) throw std::bad_alloc();
    (void)list.release();
    list.reset(grown);
  }
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, list.get());
  if (call.body) {
    curl_easy_setopt(curl, CURLOPT_POST, 1L);
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(call.body->size()));
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, call.body->data());
  }
  return list;
}

Error failed(const Transfer& transfer, CURLcode code) {
  if (transfer.failure) return *transfer.failure;
  const std::string& host = transfer.call.url.host;
  switch (code) {
    case CURLE_ABORTED_BY_CALLBACK:
      return {errc::client_gone, "nobody waits for " + host + " any more", ""};
    case CURLE_OPERATION_TIMEDOUT:
      return {errc::timed_out, host + " took too long", "Try again later, or send the file."};
    case CURLE_FILESIZE_EXCEEDED:
      return {errc::too_large, "the file at the URL is too large",
              "Send a shorter or compressed recording."};
    default:
      break;
  }
  if (transfer.closed) {
    return {errc::url_refused, host + " has an address that is not of the public internet",
            "Only public addresses are allowed. Send the file itself."};
  }
  return {errc::unreachable, "cannot reach " + host + ": " + curl_easy_strerror(code),
          "Check the address."};
}

// libcurl must be initialised before any of its threads starts; a static of a function ensures
// that.
bool is_initialised() {
  static const CURLcode done = curl_global_init(CURL_GLOBAL_DEFAULT);
  return done == CURLE_OK;
}

}  // namespace

Result<OutboundAnswer> perform(const OutboundCall& call) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
      call.deadline - std::chrono::steady_clock::now());
  if (left.count() <= 0) {
    return Error{errc::timed_out, call.url.host + " took too long",
                 "Try again later, or send the file."};
  }
  const std::unique_ptr<CURL, CloseHandle> handle(is_initialised() ? curl_easy_init() : nullptr);
  if (!handle) return Error{errc::internal, "libcurl cannot be initialised", ""};
  Transfer transfer{call, handle.get()};
  set_rules(handle.get(), transfer, static_cast<long>(left.count()));
  const auto headers = set_request(handle.get(), call);
  const CURLcode code = curl_easy_perform(handle.get());
  if (code != CURLE_OK && !transfer.has_enough) return failed(transfer, code);
  OutboundAnswer answer;
  curl_easy_getinfo(handle.get(), CURLINFO_RESPONSE_CODE, &answer.status);
  const char* next = nullptr;
  curl_easy_getinfo(handle.get(), CURLINFO_REDIRECT_URL, &next);
  if (next != nullptr) answer.redirect = next;
  return answer;
}

}  // namespace server
