#include "server/api/accepted_job.h"

#include <utility>

#include "server/api/job_json.h"
#include "server/api/received_form.h"
#include "server/api/waited_job.h"

namespace server {

asio::awaitable<void> answer_with_job(Api& api, Exchange& exchange, SubmissionRequest request) {
  auto submitting = submit_for_client(api, exchange, std::move(request));
  const auto accepted = co_await std::move(submitting);
  if (!accepted) {
    const Error& error = accepted.error();
    co_return co_await send_unless_gone(exchange, error, parameter_of(error));
  }
  Response answer = api::accepted_answer(exchange, (*accepted)->job());
  co_await exchange.send(std::move(answer));
}

}  // namespace server
