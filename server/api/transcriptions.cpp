#include <fmt/format.h>

#include <utility>

#include "protocol/json_fields.h"
#include "protocol/json_text.h"
#include "protocol/languages.h"
#include "protocol/openai/bodies.h"
#include "protocol/writers.h"
#include "server/api/api.h"
#include "server/api/handlers.h"
#include "server/api/received_form.h"
#include "server/http/error_response.h"
#include "server/http/sse.h"
#include "server/submission/submission.h"

// These are OpenAI's two endpoints. The client waits: its request becomes a job, which is cancelled
// when the client leaves and removed when it was answered, because nobody else knows of it.
namespace server::api {
namespace {

namespace openai = protocol::openai;
using protocol::json::dump;
using std::chrono::steady_clock;

Result<Response> answer_of(const protocol::Transcript& transcript, const TranscriptionForm& form) {
  const std::string& format = form.response_format;
  if (format == "json") return Response{.body = dump(openai::short_body(transcript))};
  if (format == "verbose_json") {
    const bool is_translation = transcript.task == "translate";
    const auto language = is_translation ? "english" : protocol::language_name(transcript.language);
    return Response{.body = dump(openai::verbose_body(transcript, language, form.parts))};
  }
  constexpr char plain[] = "text/plain; charset=utf-8";
  if (format == "text" && !form.split_channels) {
    return Response{.body = openai::plain_text(transcript) + "\n", .content_type = plain};
  }
  // With two speakers, each line of the text belongs to one of them.
  auto text = protocol::write_transcript(format == "text" ? "txt" : format, transcript,
                                         {.channel_labels = form.channel_labels});
  if (!text) return text.error();
  const char* type = format == "vtt" ? "text/vtt; charset=utf-8" : plain;
  return Response{.body = *std::move(text), .content_type = type};
}

asio::awaitable<void> answer_whole(ApiCall& call, const TranscriptionForm& form,
                                   FollowedJob& followed) {
  JobWait wait;
  auto waiting = followed.ended(std::move(wait));
  auto leaving = client_left(call.exchange);
  auto winner = co_await race(std::move(waiting), std::move(leaving));
  if (winner.index() == 1) co_return;
  auto job = std::get<0>(std::move(winner));
  if (!job) co_return co_await send_error(call.exchange, job.error());
  if (const auto problem = followed.problem_of(*job)) {
    co_return co_await send_error(call.exchange, *problem);
  }
  const auto transcript = co_await followed.transcript(*job);
  if (!transcript) co_return co_await send_error(call.exchange, transcript.error());
  auto answer = answer_of(*transcript, form);
  if (!answer) co_return co_await send_error(call.exchange, answer.error());
  co_await call.exchange.send(*std::move(answer));
}

// Sends segments as deltas. The status stays open until there is text, so that input which cannot
// be decoded gets an error and not a stream.
class DeltaStream {
 public:
  DeltaStream(Exchange& exchange, FollowedJob& followed)
      : exchange_(exchange), followed_(followed) {}

  asio::awaitable<Elapsed> run() {
    bool goes_on = true;
    while (goes_on) goes_on = co_await step();
    co_return Elapsed{};
  }

 private:
  asio::awaitable<bool> step() {
    const auto news = co_await followed_.next(steady_clock::now() + keep_alive_interval);
    const std::optional<Error> problem = news ? followed_.problem_of(news->job) : news.error();
    if (problem) {
      co_await fail(*problem);
      co_return false;
    }
    const Job& job = news->job;
    std::string events;
    for (const auto& segment : news->segments) {
      text_ += segment.text;
      const std::string delta =
          is_first_ ? openai::plain_text({.text = segment.text}) : segment.text;
      is_first_ = false;
      events += sse_data(dump(openai::delta_event(delta)));
    }
    if (job.state == JobState::done) {
      auto transcript = transcript_of(job, {});
      transcript.text = text_;
      events += sse_data(dump(openai::done_event(transcript))) + sse_data("[DONE]");
    }
    const bool sent = co_await write(std::move(events));
    co_return sent && !has_ended(job.state);
  }

  // Nothing is sent before the first text, or before it has taken long: until then the status is
  // open.
  asio::awaitable<bool> write(std::string events) {
    const auto now = steady_clock::now();
    if (events.empty() && now - last_write_ < keep_alive_interval) co_return true;
    last_write_ = now;
    if (events.empty()) events = sse_comment();
    if (!exchange_.has_answered()) {
      const Response head = sse_head();
      co_await exchange_.start_stream(head);
    }
    const bool written = co_await exchange_.write(events);
    co_return written;
  }

  asio::awaitable<void> fail(const Error& error) {
    if (!exchange_.has_answered()) {
      co_await send_error(exchange_, error);
    } else {
      const std::string event = sse_data(error_response(error).body);
      co_await exchange_.write(event);
    }
  }

  Exchange& exchange_;
  FollowedJob& followed_;
  std::string text_{};
  bool is_first_ = true;  // no delta was sent yet
  steady_clock::time_point last_write_ = steady_clock::now();
};

asio::awaitable<void> answer_stream(ApiCall& call, FollowedJob& followed) {
  DeltaStream stream(call.exchange, followed);
  auto running = stream.run();
  auto leaving = client_left(call.exchange);
  co_await race(std::move(running), std::move(leaving));
}

asio::awaitable<void> transcribe_for(Api& api, ApiCall& call, FormKind kind) {
  auto received = co_await receive_submission(api, call, kind);
  if (!received) {
    const FormError& wrong = received.error();
    co_return co_await send_error(call.exchange, wrong.error, wrong.parameter);
  }
  received->request.follow = Follow::to_the_end;
  auto submitting = api.submission.submit(std::move(received->request));
  auto followed = co_await std::move(submitting);
  if (!followed) co_return co_await send_error(call.exchange, followed.error());
  if (received->form.stream) {
    co_await answer_stream(call, *followed);
  } else {
    co_await answer_whole(call, received->form, *followed);
  }
}

}  // namespace

asio::awaitable<void> transcriptions(Api& api, ApiCall& call) {
  co_await transcribe_for(api, call, FormKind::transcription);
}

asio::awaitable<void> translations(Api& api, ApiCall& call) {
  co_await transcribe_for(api, call, FormKind::translation);
}

}  // namespace server::api
