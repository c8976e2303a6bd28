#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <memory>
#include <vector>

#include "server/api/api.h"
#include "server/api/route.h"
#include "server/http/exchange.h"
#include "server/jobs/job_text.h"
#include "server/jobs/text_edit.h"

// Answers that hold a text, which may be one of many hours.
namespace server::api {

namespace asio = boost::asio;

// Returns whether segments are so long that they are written beside the thread of all others.
// With the times of its words a text takes many times its bytes.
bool is_long(const std::vector<TextSegment>& segments);

// Writes an answer, on another thread where it is long, in the turn of the call's reader, and takes
// room for its body, since a client that does not read its answer holds it in memory. `memory` is
// that of the text, which `write` has and which is gone when this returns. Errors: those of
// `write`, and of Exchange::hold().
asio::awaitable<Result<Response>> written_answer(Api& api, ApiCall& call,
                                                 std::shared_ptr<void> memory, bool is_long,
                                                 std::function<Result<Response>()> write);

using WriteText = std::function<Result<Response>(const protocol::Transcript&)>;

// Writes an answer from the text of a job, likewise, and tells its warnings; its memory is that of
// the text.
asio::awaitable<Result<Response>> written_answer(Api& api, ApiCall& call, ReadTranscript read,
                                                 WriteText write);

}  // namespace server::api
