#pragma once

#include <boost/asio/awaitable.hpp>

#include "server/api/api.h"
#include "server/submission/submission.h"

namespace server {

// Submits a request and answers with its job, before there is any text.
asio::awaitable<void> answer_with_job(Api& api, Exchange& exchange, SubmissionRequest request);

}  // namespace server
