#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <optional>

#include "server/api/waited_job.h"

// Many clients and proxies give up on a connection that stays silent: nginx after a minute, fetch
// of Node.js after five. So the answer of a JSON request that takes long begins before it is known:
// with its head, status 200, and then with white space, which JSON allows before a value.
namespace server::api {

struct EarlyHead {
  std::optional<Response> head{};  // nothing: the answer begins when it is known
  std::chrono::milliseconds interval = keep_alive_interval;  // longest silence
};

// Returns the head of an answer that is JSON, unless the server's settings have none sent early.
EarlyHead early_head(const Api& api, Response head = {});

// Returns the text when the job has ended. Errors: why it gives none, and client_gone.
asio::awaitable<Result<ReadTranscript>> waited_transcript(Exchange& exchange, WaitedJob job,
                                                          EarlyHead early);

// Sends an answer whose head may be out already: then its body alone, and of an error also the
// trailer x-scribed-late-error, with the error's code.
asio::awaitable<void> send_late(Exchange& exchange, Response answer);

}  // namespace server::api
