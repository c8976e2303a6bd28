#include "server/api/long_answer.h"

#include <stop_token>
#include <utility>

#include "server/api/text_warnings.h"
#include "server/base/fair_calls.h"
#include "server/submission/services.h"

namespace server::api {
namespace {

constexpr std::size_t long_text_bytes = 16 << 10;

}  // namespace

bool is_long(const std::vector<TextSegment>& segments) {
  std::size_t bytes = 0;
  for (const auto& one : segments) bytes += one.segment.text.size();
  return bytes > long_text_bytes;
}

asio::awaitable<Result<Response>> written_answer(Api& api, ApiCall& call,
                                                 std::shared_ptr<void> memory, bool is_long,
                                                 std::function<Result<Response>()> write) {
  Result<Response> answer;
  if (is_long) {
    std::function<Result<Response>(std::stop_token)> work =
        [write = std::move(write)](std::stop_token) { return write(); };
    auto writing =
        api.services.texts.run<Response>(reader_of(call), std::move(work), std::move(memory));
    answer = co_await std::move(writing);
  } else {
    answer = write();
  }
  if (!answer) co_return answer;
  auto holding = call.exchange.hold(answer->body.size());
  const auto held = co_await std::move(holding);
  if (!held) co_return held.error();
  co_return answer;
}

asio::awaitable<Result<Response>> written_answer(Api& api, ApiCall& call, ReadTranscript read,
                                                 WriteText write) {
  tell_of_warnings(api, call.exchange, read.transcript.warnings);
  const bool is_long = read.transcript.text.size() > long_text_bytes;
  std::function<Result<Response>()> work = [text = std::move(read.transcript),
                                            write = std::move(write)] { return write(text); };
  auto writing = written_answer(api, call, std::move(read.memory), is_long, std::move(work));
  auto answer = co_await std::move(writing);
  co_return answer;
}

}  // namespace server::api
