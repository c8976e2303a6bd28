#include "server/models/download.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <fstream>
#include <iterator>
#include <mutex>
#include <nlohmann/json.hpp>

#include "platform/unique_fd.h"
#include "protocol/json_parse.h"
#include "protocol/json_text.h"
#include "server/models/curl_handle.h"
#include "server/models/http_headers.h"
#include "server/models/staging.h"

namespace server {

namespace fs = std::filesystem;

namespace {

// The part of a file. Its record says which content it belongs to, and holds the validator for
// If-Range.

fs::path part_file(const fs::path& to) {
  return fs::path(to) += ".part";
}
fs::path record_file(const fs::path& to) {
  return fs::path(to) += ".part.json";
}

struct Record {
  std::string identity;
  std::string etag;
};

Record read_record(const fs::path& to) {
  std::ifstream file(record_file(to));
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const auto json = protocol::json::parse_object(bytes);
  if (!json) return {};
  const auto text = [&](const char* key) {
    const auto found = json->find(key);
    return found != json->end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  return {text("identity"), text("etag")};
}

StoreResult<void> write_record(const fs::path& to, const Record& record) {
  const nlohmann::json json{{"identity", record.identity}, {"etag", record.etag}};
  return write_file(record_file(to), protocol::json::dump(json));
}

// Bytes allowed for the bodies of redirects, which nobody keeps.
constexpr std::uint64_t room_for_redirects = 1 << 20;

// One request that appends to the part.
class Transfer {
 public:
  Transfer(const Download& wanted, const Observer& observer)
      : wanted_(wanted), observer_(observer), part_(part_file(wanted.to)), address_(wanted.url) {}

  StoreResult<void> open() {
    fd_.reset(::open(part_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
    if (!fd_) return system_error("cannot write " + part_.string(), errno);
    record_ = read_record(wanted_.to);
    have_ = static_cast<std::uint64_t>(std::max<off_t>(0, ::lseek(fd_.get(), 0, SEEK_END)));
    const bool other = record_.identity != wanted_.identity || wanted_.identity.empty();
    if (other || (wanted_.size && have_ > *wanted_.size)) return restart();
    return {};
  }

  std::uint64_t have() const { return have_; }
  std::uint64_t most() const { return wanted_.size.value_or(wanted_.max_size); }
  bool complete() const { return wanted_.size && have_ == *wanted_.size; }

  StoreResult<void> run() {
    CurlHandle handle = make_curl(wanted_.url, wanted_.access);
    CURL* curl = handle.get();
    CurlList headers;
    if (have_ > 0) {
      const std::string range = std::to_string(have_) + "-";
      curl_easy_setopt(curl, CURLOPT_RANGE, range.c_str());
      // A weak validator does not promise the same bytes, so it may not be sent as If-Range.
      if (record_.etag.starts_with('"')) {
        headers.reset(curl_slist_append(nullptr, ("If-Range: " + record_.etag).c_str()));
        curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers.get());
      }
    }
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, HttpHeaders::on_header);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, &headers_);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, this);
    set_patience(curl, wanted_.patience);
    RequestWatch limits{observer_.stop, most() - std::min(most(), have_) + room_for_redirects};
    watch(curl, limits);
    handle_ = curl;
    const CURLcode code = curl_easy_perform(curl);
    handle_ = nullptr;
    note_address(curl);
    if (failure_) return *failure_;
    if (code == CURLE_ABORTED_BY_CALLBACK) return ended_request(wanted_.url, limits);
    long status = 0;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    if (status == 416) return restart();
    if (status >= 300) return status_error(wanted_.url, status);
    if (code != CURLE_OK) return curl_error(wanted_.url, code);
    if (!began_) begin(status);  // an empty file has no body
    if (failure_) return *failure_;
    if (wanted_.size && have_ != *wanted_.size) {
      return StoreError{StoreErrc::unreachable,
                        without_login(wanted_.url) + ": expected " + std::to_string(*wanted_.size) +
                            " bytes, the connection ended after " + std::to_string(have_),
                        "Try again; the download goes on from here."};
    }
    finished_ = true;
    return {};
  }

  bool finished() const { return finished_; }
  const std::string& address() const { return address_; }

 private:
  static std::size_t on_body(char* data, std::size_t, std::size_t size, void* user) {
    return static_cast<Transfer*>(user)->take({data, size}) ? size : 0;
  }

  void note_address(CURL* curl) {
    long redirects = 0;
    const char* last = nullptr;
    curl_easy_getinfo(curl, CURLINFO_REDIRECT_COUNT, &redirects);
    curl_easy_getinfo(curl, CURLINFO_EFFECTIVE_URL, &last);
    if (redirects > 0 && last != nullptr) address_ = last;
  }

  StoreResult<void> restart() {
    have_ = 0;
    record_ = {wanted_.identity, ""};
    if (::ftruncate(fd_.get(), 0) != 0 || ::lseek(fd_.get(), 0, SEEK_SET) < 0) {
      return system_error("cannot write " + part_.string(), errno);
    }
    return write_record(wanted_.to, record_);
  }

  // Decides, when the first byte of a success comes, whether it is appended to the part that is
  // there.
  void begin(long status) {
    began_ = true;
    const auto range = headers_.text("content-range");
    const bool goes_on =
        status == 206 && range && range->starts_with("bytes " + std::to_string(have_) + "-");
    if (!goes_on && have_ > 0) {
      if (auto done = restart(); !done) failure_ = done.error();
    }
    record_.etag = headers_.text("etag").value_or("");
    if (auto done = write_record(wanted_.to, record_); !done) failure_ = done.error();
    if (status == 206 && !goes_on) {
      failure_ = StoreError{
          StoreErrc::unreachable,
          without_login(wanted_.url) + ": the server sent another part than was asked for", ""};
    }
  }

  bool take(std::string_view bytes) {
    long status = 0;
    curl_easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &status);
    if (status >= 300) return false;  // the body is an error page
    if (!began_) begin(status);
    if (!failure_ && have_ + bytes.size() > most()) {
      failure_ =
          StoreError{StoreErrc::wrong_content,
                     without_login(wanted_.url) + ": expected " + (wanted_.size ? "" : "at most ") +
                         std::to_string(most()) + " bytes, more arrive",
                     "Check HF_ENDPOINT, or take another source with --source."};
    }
    while (!failure_ && !bytes.empty()) {
      const ssize_t put = ::write(fd_.get(), bytes.data(), bytes.size());
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) {
        failure_ = system_error("cannot write " + part_.string(), errno);
        break;
      }
      have_ += static_cast<std::uint64_t>(put);
      bytes.remove_prefix(static_cast<std::size_t>(put));
    }
    observer_.progress({PullProgress::Phase::downloading, wanted_.to.filename().string(), have_,
                        wanted_.size ? wanted_.size : total()});
    return !failure_;
  }

  std::optional<std::uint64_t> total() const {
    const auto rest = headers_.number("content-length");
    if (!rest) return std::nullopt;
    return headers_.text("content-range") ? std::nullopt : rest;
  }

  const Download& wanted_;
  const Observer& observer_;
  fs::path part_;
  std::string address_;  // that has sent the file
  platform::UniqueFd fd_;
  Record record_;
  HttpHeaders headers_;
  CURL* handle_ = nullptr;
  std::uint64_t have_ = 0;
  bool began_ = false;
  bool finished_ = false;
  std::optional<StoreError> failure_;
};

// Waits; returns false if `stop` ended the wait.
bool pause(std::chrono::milliseconds time, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  wake.wait_for(lock, stop, time, [] { return false; });
  return !stop.stop_requested();
}

StoreResult<std::string> keep(const fs::path& to, const std::string& address) {
  std::error_code error;
  fs::rename(part_file(to), to, error);
  if (error) return system_error("cannot rename " + part_file(to).string(), error.value());
  fs::remove(record_file(to), error);
  return address;
}

}  // namespace

StoreResult<std::string> download(const Download& wanted, const Observer& observer) {
  constexpr std::array<int, 3> waits_ms{500, 2000, 5000};
  // Only an attempt that brings this many bytes is no failure: a server that breaks off after each
  // few bytes would keep us for ever.
  constexpr std::uint64_t worth_going_on = 256 * 1024;
  std::size_t failures = 0;
  while (true) {
    Transfer transfer(wanted, observer);
    if (auto opened = transfer.open(); !opened) return opened.error();
    if (transfer.complete()) return keep(wanted.to, transfer.address());
    const std::uint64_t before = transfer.have();
    auto done = transfer.run();
    if (done && transfer.finished()) return keep(wanted.to, transfer.address());
    if (!done && done.error().code != StoreErrc::unreachable) return done.error();
    failures = transfer.have() >= before + worth_going_on ? 0 : failures + 1;
    if (failures > wanted.retries) {
      return done ? StoreError{StoreErrc::unreachable,
                               without_login(wanted.url) + ": no part can be had", ""}
                  : done.error();
    }
    const auto wait = waits_ms[std::min(failures > 0 ? failures - 1 : 0, waits_ms.size() - 1)];
    if (!pause(std::chrono::milliseconds(wait), observer.stop)) {
      return stopped_request();
    }
  }
}

void discard_download(const fs::path& to) {
  std::error_code ignored;
  for (const auto& file : {to, part_file(to), record_file(to)}) fs::remove(file, ignored);
}

}  // namespace server
