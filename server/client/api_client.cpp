#include "server/client/api_client.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <new>

#include "protocol/json_parse.h"
#include "server/models/curl_handle.h"

namespace server {
namespace {

using std::chrono::steady_clock;

// An answer that is not taken as it comes: the transcript of many hours has room.
constexpr std::size_t most_bytes = 256U << 20;
constexpr protocol::json::Limits answer_limits{.values = 10'000'000};

struct FreeMime {
  void operator()(curl_mime* mime) const noexcept { curl_mime_free(mime); }
};

// The state that the callbacks of one request share.
struct Exchanged {
  const ApiRequest& request;
  CURL* curl;
  ApiAnswer answer{};
  std::optional<Error> failure{};  // found by a callback, which then ended the request
  curl_off_t moved = 0;            // bytes in both directions
  steady_clock::time_point moved_at = steady_clock::now();
};

void read_head(Exchanged& exchanged) {
  const char* type = nullptr;
  curl_easy_getinfo(exchanged.curl, CURLINFO_RESPONSE_CODE, &exchanged.answer.status);
  curl_easy_getinfo(exchanged.curl, CURLINFO_CONTENT_TYPE, &type);
  exchanged.answer.content_type = type == nullptr ? "" : type;
}

bool is_success(const ApiAnswer& answer) {
  return answer.status >= 200 && answer.status <= 299;
}

std::size_t take_answer(const char* data, std::size_t, std::size_t size, void* user) {
  auto& exchanged = *static_cast<Exchanged*>(user);
  read_head(exchanged);
  if (exchanged.request.on_bytes && is_success(exchanged.answer)) {
    const auto taken = exchanged.request.on_bytes(exchanged.answer, {data, size});
    if (!taken) exchanged.failure = taken.error();
    return taken ? size : 0;
  }
  if (exchanged.answer.body.size() + size > most_bytes) {
    exchanged.failure = Error{errc::too_large, "the server's answer is too long", ""};
    return 0;
  }
  exchanged.answer.body.append(data, size);
  return size;
}

std::size_t give_file(char* bytes, std::size_t, std::size_t size, void* user) {
  const auto& file = *static_cast<const SentFile*>(user);
  while (true) {
    const auto got = ::read(file.fd, bytes, size);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) return CURL_READFUNC_ABORT;
  }
}

int tick(void* user, curl_off_t, curl_off_t received, curl_off_t, curl_off_t sent) {
  auto& exchanged = *static_cast<Exchanged*>(user);
  const auto now = steady_clock::now();
  if (received + sent != exchanged.moved) {
    exchanged.moved = received + sent;
    exchanged.moved_at = now;
  }
  if (exchanged.request.is_stopped && exchanged.request.is_stopped()) {
    exchanged.failure = Error{errc::cancelled, "stopped", ""};
  } else if (now - exchanged.moved_at > exchanged.request.patience) {
    exchanged.failure =
        Error{errc::timed_out, "the server says nothing any more", "Try again later."};
  }
  return exchanged.failure ? 1 : 0;
}

void add_part(curl_mime* form, const std::string& name, const std::string& value) {
  curl_mimepart* part = curl_mime_addpart(form);
  if (part == nullptr) throw std::bad_alloc();
  curl_mime_name(part, name.c_str());
  curl_mime_data(part, value.data(), value.size());
}

std::unique_ptr<curl_mime, FreeMime> form_of(CURL* curl, const ApiRequest& request) {
  std::unique_ptr<curl_mime, FreeMime> form(curl_mime_init(curl));
  if (!form) throw std::bad_alloc();
  // The fields stand before the file, so that the server knows them while the file comes.
  for (const auto& [name, value] : request.fields) add_part(form.get(), name, value);
  curl_mimepart* part = curl_mime_addpart(form.get());
  if (part == nullptr) throw std::bad_alloc();
  const SentFile& file = *request.file;
  const curl_off_t size = file.bytes ? static_cast<curl_off_t>(*file.bytes) : -1;
  curl_mime_name(part, "file");
  curl_mime_filename(part, file.name.empty() ? "stdin" : file.name.c_str());
  curl_mime_type(part, "application/octet-stream");
  curl_mime_data_cb(part, size, give_file, nullptr, nullptr, const_cast<SentFile*>(&file));
  return form;
}

CurlList headers_of(const ApiRequest& request) {
  CurlList list;
  for (const auto& header : request.headers) {
    curl_slist* grown = curl_slist_append(list.get(), header.c_str());
    if (grown == nullptr) throw std::bad_alloc();
    (void)list.release();
    list.reset(grown);
  }
  return list;
}

void set_rules(CURL* curl, const ServerAddress& address, Exchanged& exchanged) {
  if (!address.socket.empty()) {
    curl_easy_setopt(curl, CURLOPT_UNIX_SOCKET_PATH, address.socket.c_str());
  }
  if (address.is_local()) curl_easy_setopt(curl, CURLOPT_NOPROXY, "*");
  curl_easy_setopt(
      curl, CURLOPT_CONNECTTIMEOUT_MS,
      static_cast<long>(std::min<std::int64_t>(exchanged.request.patience.count(), 15'000)));
  // Silence is counted by `tick`: a stream may be quiet for longer than a download.
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, 0L);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_answer);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &exchanged);
  curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, tick);
  curl_easy_setopt(curl, CURLOPT_XFERINFODATA, &exchanged);
}

void set_body(CURL* curl, const ApiRequest& request) {
  if (request.method == "GET" || request.file) return;
  curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, request.method.c_str());
  if (request.method == "DELETE") return;
  curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
  curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request.body.c_str());
}

// libcurl does not send the token to another host, where a redirect may lead.
void set_bearer(CURL* curl, const std::string& key) {
  curl_easy_setopt(
      curl, CURLOPT_HTTPAUTH,
      key.empty() ? static_cast<long>(CURLAUTH_BASIC) : static_cast<long>(CURLAUTH_BEARER));
  curl_easy_setopt(curl, CURLOPT_XOAUTH2_BEARER, key.empty() ? nullptr : key.c_str());
}

Error failed(const ServerAddress& address, const Exchanged& exchanged, CURLcode code) {
  if (exchanged.failure) return *exchanged.failure;
  if (code == CURLE_ABORTED_BY_CALLBACK) {
    return {errc::input_unreadable, "the input cannot be read", ""};
  }
  return {no_server,
          fmt::format("no scribed answers at {}: {}", address.text(), curl_easy_strerror(code)),
          "Is scribed serve running, and listening there?"};
}

}  // namespace

// The connection of a proof may be lost before the request is sent on it; a server that is about
// to end closes it. The next one has to prove itself again.
Result<ApiAnswer> ApiClient::send(const ApiRequest& request) const {
  constexpr int most_connections = 3;
  const CurlHandle handle = make_curl(address_.url, {});
  CURL* curl = handle.get();
  KeyGuard guard(address_, key_, trusts_server_);
  guard.watch(curl);
  for (int number = 1;; ++number) {
    if (guard.needs_proof()) {
      const auto proven = ask_for_proof(curl, guard, request);
      if (!proven) return proven.error();
    }
    set_bearer(curl, key_);
    auto answer = perform(curl, request, guard);
    if (!guard.has_lost_connection()) return answer;
    if (number == most_connections) {
      return Error{no_server, address_.text() + " closes its connections before they are used",
                   "Try again later."};
    }
  }
}

Result<void> ApiClient::ask_for_proof(CURL* curl, KeyGuard& guard,
                                      const ApiRequest& request) const {
  set_bearer(curl, "");
  curl_easy_setopt(curl, CURLOPT_HTTPGET, 1L);  // whatever the last try was
  curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, nullptr);
  const ApiRequest question{
      .path = guard.challenge(), .is_stopped = request.is_stopped, .patience = request.patience};
  const auto answer = perform(curl, question, guard);
  if (!answer) return answer.error();
  if (answer->status == 429) return error_of(*answer);
  return guard.take_proof(answer->status, answer->body);
}

Result<ApiAnswer> ApiClient::perform(CURL* curl, const ApiRequest& request,
                                     const KeyGuard& guard) const {
  curl_easy_setopt(curl, CURLOPT_URL, (address_.url + request.path).c_str());
  Exchanged exchanged{request, curl};
  set_rules(curl, address_, exchanged);
  const CurlList headers = headers_of(request);
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers.get());
  const auto form = request.file ? form_of(curl, request) : nullptr;
  if (form) curl_easy_setopt(curl, CURLOPT_MIMEPOST, form.get());
  set_body(curl, request);
  const CURLcode code = curl_easy_perform(curl);
  read_head(exchanged);
  if (guard.refusal()) return *guard.refusal();
  // A server that refuses a body need not read it to its end, so its answer counts.
  const bool was_refused = exchanged.answer.status >= 400 && !exchanged.failure;
  if (code != CURLE_OK && !was_refused) return failed(address_, exchanged, code);
  return std::move(exchanged.answer);
}

Result<ApiAnswer> ApiClient::call(const ApiRequest& request) const {
  auto answer = send(request);
  if (!answer) return answer.error();
  if (!is_success(*answer)) return error_of(*answer);
  return answer;
}

Error ApiClient::error_of(const ApiAnswer& answer) const {
  if (answer.status == 401) {
    return {errc::unauthorized,
            key_.empty() ? address_.text() + " asks for a key"
                         : address_.text() + " does not know this key",
            "Set SCRIBED_API_KEY, or name a file that holds the key with --api-key-file."};
  }
  const auto body = protocol::json::parse_object(answer.body);
  const auto error = body ? body->find("error") : nlohmann::json::const_iterator();
  if (!body || error == body->end() || !error->is_object()) {
    return {no_server,
            fmt::format("{} answered {}, and not as scribed does", address_.text(), answer.status),
            "Is this the address of scribed serve?"};
  }
  const auto text = [&error](const char* key) {
    const auto found = error->find(key);
    return found != error->end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  const std::string code = text("code");
  return {code.empty() ? errc::internal : code, text("message"), ""};
}

Result<nlohmann::json> json_of(const ApiClient& client, const ApiAnswer& answer) {
  auto body = protocol::json::parse_object(answer.body, answer_limits);
  if (body) return *std::move(body);
  return Error{no_server, client.address().text() + " does not answer as scribed does",
               "Is this the address of scribed serve?"};
}

}  // namespace server
