#pragma once

#include <boost/asio/awaitable.hpp>
#include <memory>
#include <string_view>

#include "protocol/transcript.h"
#include "server/api/api.h"
#include "server/submission/submission.h"

// A client waits for the text of its recording. Its request becomes a job, which is cancelled when
// the client leaves and removed when it was answered, because nobody else knows of it.
namespace server {

using WaitedJob = std::shared_ptr<FollowedJob>;

// Submits a request for as long as its client is there to hear of the job, which may go on without
// it. Errors: those of Submission::submit(), and client_gone, which nobody hears.
asio::awaitable<Result<WaitedJob>> submit_for_client(Api& api, Exchange& exchange,
                                                     SubmissionRequest request);

// Submits a request whose client waits for the text; errors are the same.
asio::awaitable<Result<WaitedJob>> submit_waited(Api& api, Exchange& exchange,
                                                 SubmissionRequest request);

// Sends the error, unless it is client_gone.
asio::awaitable<void> send_unless_gone(Exchange& exchange, const Error& error,
                                       std::string_view parameter = {});

}  // namespace server
