#include "server/objects/s3_request.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <new>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "server/models/curl_handle.h"
#include "server/models/digest.h"
#include "server/objects/xml_fields.h"

namespace server {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// With those behind the body: libcurl keeps all, and some versions as many as there are.
constexpr std::size_t most_header_bytes = 64 << 10;

// The state that the callbacks of one request share.
struct Transfer {
  const S3Request& request;
  CURL* curl;
  std::uint64_t sent = 0;
  std::size_t header_bytes = 0;
  std::string body{};
  std::optional<S3Error> failure{};  // found by a callback, which then ended the request
};

ssize_t read_slice(const FileSlice& slice, std::uint64_t done, char* buffer, std::size_t size) {
  const auto wanted = std::min<std::uint64_t>(size, slice.size - done);
  ssize_t got = 0;
  do {
    got = ::pread(slice.file, buffer, wanted, static_cast<off_t>(slice.offset + done));
  } while (got < 0 && errno == EINTR);
  return got;
}

std::size_t give_bytes(char* buffer, std::size_t size, std::size_t count, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  const auto got = read_slice(*transfer.request.file, transfer.sent, buffer, size * count);
  if (got < 0) {
    transfer.failure = S3Error{S3Errc::local, std::strerror(errno)};
    return CURL_READFUNC_ABORT;
  }
  transfer.sent += static_cast<std::uint64_t>(got);
  return static_cast<std::size_t>(got);
}

int rewind_to(void* user, curl_off_t offset, int origin) {
  if (origin != SEEK_SET) return CURL_SEEKFUNC_CANTSEEK;
  static_cast<Transfer*>(user)->sent = static_cast<std::uint64_t>(offset);
  return CURL_SEEKFUNC_OK;
}

long status_of(CURL* curl) {
  long status = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

bool has_range(const S3Request& request) {
  return request.from > 0 || request.most > 0;
}

std::string range_of(const S3Request& request) {
  if (request.most == 0) return fmt::format("bytes={}-", request.from);
  return fmt::format("bytes={}-{}", request.from, request.from + request.most - 1);
}

S3Error too_long() {
  return {S3Errc::refused, "the bucket answers more than it should"};
}

std::size_t count_header(char*, std::size_t, std::size_t size, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  transfer.header_bytes += size;
  if (transfer.header_bytes <= most_header_bytes) return size;
  transfer.failure = too_long();
  return 0;
}

std::size_t take_bytes(char* data, std::size_t, std::size_t size, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  const long wanted = has_range(transfer.request) ? 206 : 200;
  if (transfer.request.on_bytes && status_of(transfer.curl) == wanted) {
    const auto taken = transfer.request.on_bytes({data, size});
    if (taken) return size;
    transfer.failure = taken.error();
    return 0;
  }
  if (transfer.body.size() + size > transfer.request.most_body) {
    transfer.failure = too_long();
    return 0;
  }
  transfer.body.append(data, size);
  return size;
}

// "%2F" rather than "/": the form in which queries are signed.
std::string escaped(std::string_view text) {
  constexpr std::string_view hex = "0123456789ABCDEF";
  std::string result;
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    const bool is_plain = (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
                          (byte >= 'a' && byte <= 'z') || std::strchr("-_.~", byte) != nullptr;
    if (is_plain && byte != 0) {
      result += letter;
    } else {
      result.append("%").append(1, hex[byte >> 4]).append(1, hex[byte & 15]);
    }
  }
  return result;
}

std::string url_of(const ObjectPlace& place, const S3Request& request) {
  std::string url = place.endpoint + "/" + place.bucket;
  if (!request.name.empty()) url += "/" + place.prefix + request.name;
  char mark = '?';
  for (const auto& [name, value] : request.query) {
    url += mark + name + "=" + escaped(value);
    mark = '&';
  }
  return url;
}

S3Result<std::string> sha256_of(const S3Request& request, const std::stop_token& stop) {
  Hasher hasher(Digest::Kind::sha256, 0);
  if (!request.file) {
    hasher.update(request.body);
    return hasher.finish();
  }
  std::vector<char> buffer(256 << 10);
  for (std::uint64_t done = 0; done < request.file->size;) {
    if (stop.stop_requested()) return S3Error{S3Errc::stopped, "stopped"};
    const auto got = read_slice(*request.file, done, buffer.data(), buffer.size());
    if (got < 0) return S3Error{S3Errc::local, std::strerror(errno)};
    if (got == 0) return S3Error{S3Errc::local, "the file has become shorter"};
    hasher.update({buffer.data(), static_cast<std::size_t>(got)});
    done += static_cast<std::uint64_t>(got);
  }
  return hasher.finish();
}

void add(CurlList& list, const std::string& header) {
  curl_slist* grown = curl_slist_append(list.get(), header.c_str());
  if (grown == nullptr) throw std::bad_alloc();
  (void)list.release();
  list.reset(grown);
}

// libcurl signs the headers that it is given, too.
CurlList headers_of(const S3Request& request, const S3Keys& keys, const std::string& sha256) {
  CurlList list;
  add(list, "x-amz-content-sha256: " + sha256);
  if (!keys.token.empty()) add(list, "x-amz-security-token: " + keys.token);
  if (has_range(request)) add(list, "Range: " + range_of(request));
  return list;
}

void set_body(CURL* curl, const S3Request& request, Transfer& transfer) {
  if (request.file) {
    curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(curl, CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(request.file->size));
    curl_easy_setopt(curl, CURLOPT_READFUNCTION, give_bytes);
    curl_easy_setopt(curl, CURLOPT_READDATA, &transfer);
    curl_easy_setopt(curl, CURLOPT_SEEKFUNCTION, rewind_to);
    curl_easy_setopt(curl, CURLOPT_SEEKDATA, &transfer);
  } else if (request.method == "POST") {
    curl_easy_setopt(curl, CURLOPT_POST, 1L);
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE,
                     static_cast<curl_off_t>(request.body.size()));
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request.body.data());
  } else if (request.method != "GET") {
    curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, request.method.c_str());
  }
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, count_header);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, &transfer);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_bytes);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &transfer);
}

void sign(CURL* curl, const S3Settings& settings, const S3Keys& keys) {
  curl_easy_setopt(curl, CURLOPT_AWS_SIGV4, ("aws:amz:" + settings.place.region + ":s3").c_str());
  curl_easy_setopt(curl, CURLOPT_USERNAME, keys.id.c_str());
  curl_easy_setopt(curl, CURLOPT_PASSWORD, keys.secret.c_str());
}

S3Error failed(const Transfer& transfer, const RequestWatch& limits, CURLcode code) {
  if (transfer.failure) return *transfer.failure;
  const auto message = fmt::format("cannot reach the bucket: {}", curl_easy_strerror(code));
  if (code == CURLE_ABORTED_BY_CALLBACK && !limits.is_too_much) {
    return {S3Errc::stopped, "the request to the bucket was canceled"};
  }
  return {code == CURLE_OPERATION_TIMEDOUT ? S3Errc::timed_out : S3Errc::unavailable, message};
}

// Returns the error that an answer names, if it has the form of one: "NoSuchKey".
std::string code_of(const std::string& body) {
  const auto fields = read_xml_fields(body);
  const auto code = fields ? field_text(*fields, "Error/Code") : "";
  const bool is_word = code.size() <= 64 && std::ranges::all_of(code, [](unsigned char c) {
                         return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
                       });
  return is_word ? code : "";
}

std::optional<S3Error> refusal(long status, const std::string& body) {
  if (status >= 200 && status <= 299) return std::nullopt;
  const std::string code = code_of(body);
  const auto message = fmt::format("the bucket answered {} {}", status, code);
  if (status == 404 && code == "NoSuchKey") return S3Error{S3Errc::missing, message};
  const bool is_in_trouble = status >= 500 || status == 429 || status == 408 ||
                             code == "RequestTimeout" || code == "OperationAborted";
  return S3Error{is_in_trouble ? S3Errc::unavailable : S3Errc::refused, message};
}

std::string header(CURL* curl, const char* name) {
  curl_header* found = nullptr;
  const auto code = curl_easy_header(curl, name, 0, CURLH_HEADER, -1, &found);
  return code == CURLHE_OK ? found->value : "";
}

}  // namespace

void throw_exception_from_error(const S3Error& error, const boost::source_location&) {
  throw std::runtime_error("[objects] " + error.message);
}

S3Result<S3Answer> perform(const S3Settings& settings, const S3Request& request,
                           const CallLimits& limits) {
  const auto keys = read_keys(settings.keys);
  if (!keys) return S3Error{S3Errc::refused, keys.error().message};
  const auto sha256 = sha256_of(request, limits.stop);
  if (!sha256) return sha256.error();
  const auto left = std::chrono::duration_cast<milliseconds>(limits.deadline - steady_clock::now());
  if (left.count() <= 0) return S3Error{S3Errc::timed_out, "the bucket takes too long"};
  const auto handle =
      make_curl(url_of(settings.place, request), {.certificates = settings.certificates});
  CURL* curl = handle.get();
  Transfer transfer{request, curl};
  RequestWatch watching{limits.stop, std::numeric_limits<std::uint64_t>::max()};
  const auto headers = headers_of(request, *keys, *sha256);
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, static_cast<long>(settings.connect_limit.count()));
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(left.count()));
  set_patience(curl, settings.patience);
  watch(curl, watching);
  set_body(curl, request, transfer);
  sign(curl, settings, *keys);
  const CURLcode code = curl_easy_perform(curl);
  if (code != CURLE_OK) return failed(transfer, watching, code);
  if (auto refused = refusal(status_of(curl), transfer.body)) return *std::move(refused);
  S3Answer answer{.body = std::move(transfer.body), .etag = header(curl, "etag")};
  const std::time_t date = curl_getdate(header(curl, "date").c_str(), nullptr);
  if (date > 0) answer.date = date;
  return answer;
}

}  // namespace server
