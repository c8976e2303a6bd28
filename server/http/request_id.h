#pragma once

#include <boost/beast/http/fields.hpp>
#include <string>

#include "server/base/trace.h"

namespace server {

// Returns the client's x-request-id where it is short and plain, else a new one of 64 random bits.
std::string request_id_of(const boost::beast::http::fields& headers);
std::string new_request_id();

// Returns what a request is known by: its id, and the ids of its traceparent where that is valid
// (https://www.w3.org/TR/trace-context/).
Trace trace_of(const boost::beast::http::fields& headers);

}  // namespace server
