#pragma once

#include <boost/assert/source_location.hpp>
#include <boost/system/result.hpp>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

#include "server/objects/object_place.h"
#include "server/objects/s3_keys.h"

namespace server {

enum class S3Errc {
  unavailable = 1,  // the network, or the server is in trouble: another try may succeed
  timed_out,        // the server says nothing, or too little
  refused,          // keys, rights, the bucket, or what was sent
  missing,          // the bucket is there, and the object is not
  stopped,          // nobody waits any more
  local,            // a file of ours
};

// `message` is for operators: clients need not know of the bucket.
struct S3Error {
  S3Errc code = S3Errc::unavailable;
  std::string message{};
};

template <class T>
using S3Result = boost::system::result<T, S3Error>;

// boost::system::result calls this, found by argument lookup, when value() is called on a failure.
[[noreturn]] void throw_exception_from_error(const S3Error& error,
                                             const boost::source_location& where);

struct S3Settings {
  ObjectPlace place{};
  S3KeySource keys{};
  std::string certificates{};  // a file of CA certificates; empty: the system's
  std::chrono::seconds connect_limit{5};
  std::chrono::seconds patience{15};  // the time in which nothing may come or go
};

// A part of an open file. Its bytes may not change meanwhile.
struct FileSlice {
  int file = -1;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

struct CallLimits {
  std::chrono::steady_clock::time_point deadline{};
  std::stop_token stop{};
};

// One signed request. The rules that libcurl 7.88 needs for its signatures are kept here: queries
// are sorted, each name has a "=", and the body's sha256 is always sent.
struct S3Request {
  std::string method{};  // GET, PUT, POST or DELETE
  std::string name{};    // of the object, behind the prefix; empty: the bucket
  std::map<std::string, std::string> query{};  // values as they are meant
  std::string body{};                          // of a POST
  std::optional<FileSlice> file{};             // the body of a PUT
  std::uint64_t from = 0;                      // the first byte that is wanted
  std::uint64_t most = 0;                      // so many bytes at most; 0: all that follow
  std::size_t most_body = 64 << 10;            // bytes of the answer where on_bytes gets none
  // Receives the bytes of a success, as they come. An error ends the request.
  std::function<S3Result<void>(std::span<const char>)> on_bytes{};
};

struct S3Answer {
  std::string body{};  // where on_bytes did not get it
  std::string etag{};
  std::optional<std::time_t> date{};  // the time by the server's clock
};

// Performs the request and blocks until it ends. A status that is no success is an error. Whatever
// the server sends, no more of it is held than most_body, and 64 KiB of headers.
S3Result<S3Answer> perform(const S3Settings& settings, const S3Request& request,
                           const CallLimits& limits);

}  // namespace server
