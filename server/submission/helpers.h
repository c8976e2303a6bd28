#pragma once

#include <boost/asio/awaitable.hpp>

#include "protocol/transcribe_options.h"
#include "server/base/error.h"
#include "server/submission/services.h"

namespace server {

// Checks that the helper models which options need are installed or being downloaded, and downloads
// those that are not where Services::fetch_helper does. The error is model_not_installed.
boost::asio::awaitable<Result<void>> require_helpers(const Services& services,
                                                     protocol::TranscribeOptions options);

// The same, which returns when all of them are installed.
boost::asio::awaitable<Result<void>> fetched_helpers(const Services& services,
                                                     protocol::TranscribeOptions options);

// Checks that none of them is missing once downloads have ended. The error is model_not_installed.
Result<void> check_fetched_helpers(const ModelStore& store,
                                   const protocol::TranscribeOptions& options);

}  // namespace server
