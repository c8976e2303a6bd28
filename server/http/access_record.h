#pragma once

#include <cstdint>
#include <string>

#include "server/base/trace.h"

namespace server {

// The outcome of one request, for logs and metrics.
struct AccessRecord {
  std::string method{};  // empty, as the path is, where the request could not be read
  std::string path{};
  int status = 0;               // 499: the client left before there was an answer
  std::uint64_t bytes_in = 0;   // the bytes of the body
  std::uint64_t bytes_out = 0;  // including the answer's header
  double seconds = 0;           // from the end of the request's header
  Trace trace{};
  std::string key{};  // the name of the key; empty: none was needed or valid
  std::string peer{};
  // text of a handler's exception, why the connection broke, or the code of the error that the
  // answer told; empty: no error
  std::string error{};
};

}  // namespace server
