#pragma once

#include <boost/asio/awaitable.hpp>

#include "server/base/error.h"
#include "server/submission/job_input.h"
#include "server/submission/services.h"
#include "server/submission/source.h"

namespace server {

namespace asio = boost::asio;

// Take a recording that the client sent with its request: from memory, or from the spool. It is on
// the disk then, if the terms ask for that.
asio::awaitable<Result<JobInput>> take(const Services& services, BytesSource source,
                                       SourceTerms terms);
asio::awaitable<Result<JobInput>> take(const Services& services, ReceivedSource source,
                                       SourceTerms terms);

}  // namespace server
