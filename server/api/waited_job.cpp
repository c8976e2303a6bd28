#include "server/api/waited_job.h"

#include <utility>
#include <variant>

#include "server/base/race.h"

namespace server {
namespace {

// Shared, since race() wants what has a default.
asio::awaitable<Result<WaitedJob>> submit_shared(Api& api, SubmissionRequest request) {
  auto submitting = api.submission.submit(std::move(request));
  auto followed = co_await std::move(submitting);
  if (!followed) co_return followed.error();
  co_return std::make_shared<FollowedJob>(*std::move(followed));
}

}  // namespace

asio::awaitable<Result<WaitedJob>> submit_for_client(Api& api, Exchange& exchange,
                                                     SubmissionRequest request) {
  // The client may leave while its address is fetched, or the clips of its speakers are decoded.
  auto submitting = submit_shared(api, std::move(request));
  auto leaving = client_left(exchange);
  auto winner = co_await race(std::move(submitting), std::move(leaving));
  if (winner.index() == 1) co_return client_has_left();
  co_return std::get<0>(std::move(winner));
}

asio::awaitable<Result<WaitedJob>> submit_waited(Api& api, Exchange& exchange,
                                                 SubmissionRequest request) {
  request.follow = Follow::to_the_end;
  return submit_for_client(api, exchange, std::move(request));
}

asio::awaitable<void> send_unless_gone(Exchange& exchange, const Error& error,
                                       std::string_view parameter) {
  if (error.code != errc::client_gone) co_await send_error(exchange, error, parameter);
}

}  // namespace server
