#pragma once

#include <string>

namespace server {

// The names of a request, wherever its work leads: the log has these with its answer, its job
// and the worker that does it.
struct Trace {
  std::string request_id{};  // also the answer's x-request-id; empty: there was no HTTP request
  std::string trace_id{};    // of the client's traceparent (W3C): 32 hex digits; empty: none
  std::string span_id{};     // the client's span in that trace: 16 hex digits
};

}  // namespace server
