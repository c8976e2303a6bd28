#include <algorithm>
#include <functional>
#include <stop_token>
#include <utility>

#include "protocol/json_fields.h"
#include "protocol/json_text.h"
#include "protocol/openai/bodies.h"
#include "server/api/api.h"
#include "server/api/early_head.h"
#include "server/api/handlers.h"
#include "server/api/long_answer.h"
#include "server/api/received_form.h"
#include "server/api/segment_events.h"
#include "server/api/text_warnings.h"
#include "server/api/transcript_answer.h"
#include "server/api/untold.h"
#include "server/api/waited_job.h"
#include "server/base/fair_calls.h"
#include "server/http/error_response.h"
#include "server/http/sse.h"
#include "server/submission/model_name.h"

// These are OpenAI's two endpoints.
namespace server::api {
namespace {

namespace openai = protocol::openai;
using protocol::json::dump;
using std::chrono::steady_clock;

constexpr std::size_t short_text_bytes = 16 << 10;
constexpr std::size_t most_short_logprobs = 500;

constexpr char delta_name[] = "transcript.text.delta";
constexpr char segment_name[] = "transcript.text.segment";
constexpr char done_name[] = "transcript.text.done";

AnswerFormat format_of(const TranscriptionForm& form) {
  return {
      .name = form.response_format,
      .parts = {.segments = form.parts.segments,
                .words = form.parts.words,
                .logprobs = form.options.token_logprobs},
      .model = {.tokens = counts_tokens(form.model), .languages = form.model == "gpt-transcribe"},
      .diarized = form.options.diarize,
      .split_channels = form.split_channels,
      .channel_labels = form.channel_labels,
      .subtitle_style = form.options.subtitle_style,
      .lines = form.lines};
}

asio::awaitable<void> refuse_late(Exchange& exchange, const Error& error) {
  if (error.code == errc::client_gone) co_return;
  Response refusal = error_response(error);
  co_await send_late(exchange, std::move(refusal));
}

asio::awaitable<void> answer_whole(Api& api, ApiCall& call, const TranscriptionForm& form,
                                   WaitedJob job) {
  const bool is_json = form.response_format.ends_with("json");
  auto waiting = waited_transcript(call.exchange, job, is_json ? early_head(api) : EarlyHead{});
  auto read = co_await std::move(waiting);
  if (!read) co_return co_await refuse_late(call.exchange, read.error());
  WriteText write = [format = format_of(form)](const auto& text) {
    return transcript_answer(text, format);
  };
  auto writing = written_answer(api, call, *std::move(read), std::move(write));
  auto answer = co_await std::move(writing);
  if (!answer) co_return co_await refuse_late(call.exchange, answer.error());
  co_await send_late(call.exchange, *std::move(answer));
}

// Sends segments as deltas, as soon as they are decided: who speaks is known at the end. The status
// stays open until there is text, so that input which cannot be decoded gets an error and not a
// stream.
class DeltaStream {
 public:
  DeltaStream(const Api& api, ApiCall& call, FollowedJob& followed, const TranscriptionForm& form)
      : api_(api),
        owner_(call.principal.name),
        exchange_(call.exchange),
        followed_(followed),
        format_(format_of(form)) {}

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
    const auto untold =
        news->begins_anew ? untold_of(news->segments, text_, logprobs_.size()) : news->segments;
    auto telling =
        tell(untold, delta_name, [this](const auto& segment) { return dump(delta_of(segment)); });
    bool sent = co_await std::move(telling);
    if (sent && job.state == JobState::done) sent = co_await tell_end(job);
    if (sent) sent = co_await write("");
    co_return sent && !has_ended(job.state);
  }

  // Sends an event for each segment; returns false if the client is gone.
  asio::awaitable<bool> tell(const std::vector<protocol::Segment>& segments, const char* name,
                             std::function<std::string(const protocol::Segment&)> json_of) {
    SegmentEvent event_of = [name, json_of = std::move(json_of)](const protocol::Segment& segment) {
      return sse_event(name, json_of(segment));
    };
    WriteEvents writing = [this](std::string events) { return write(std::move(events)); };
    auto telling = write_segment_events(segments, std::move(event_of), std::move(writing));
    const bool sent = co_await std::move(telling);
    co_return sent;
  }

  asio::awaitable<bool> tell_end(Job job) {
    auto reading = followed_.transcript(job);
    auto whole = co_await std::move(reading);
    if (!whole) {
      co_await fail(whole.error());
      co_return false;
    }
    if (format_.name == "diarized_json") {  // who speaks is known at the end
      auto telling = tell(whole->transcript.segments, segment_name,
                          [](const auto& segment) { return dump(openai::segment_event(segment)); });
      const bool sent = co_await std::move(telling);
      if (!sent) co_return false;
    }
    tell_of_warnings(api_, exchange_, whole->transcript.warnings);
    auto making = end_of(*std::move(whole));
    auto end = co_await std::move(making);
    if (!end) {
      co_await fail(end.error());
      co_return false;
    }
    auto holding = exchange_.hold(end->size());
    const auto held = co_await std::move(holding);
    if (!held) {
      co_await fail(held.error());
      co_return false;
    }
    const bool sent = co_await write(*std::move(end));
    co_return sent;
  }

  openai::Json delta_of(const protocol::Segment& segment) {
    text_ += segment.text;
    const std::string delta =
        std::exchange(is_first_, false) ? openai::plain_text({.text = segment.text}) : segment.text;
    auto event = openai::delta_event(delta);
    if (format_.parts.logprobs) {
      event["logprobs"] = openai::logprobs({&segment, 1});
      logprobs_.insert(logprobs_.end(), event["logprobs"].begin(), event["logprobs"].end());
    }
    return event;
  }

  // Returns the last events. All of the text is in one of them, so it is made on another thread
  // where it is long.
  asio::awaitable<Result<std::string>> end_of(ReadTranscript read) {
    const bool is_long =
        read.transcript.text.size() > short_text_bytes || logprobs_.size() > most_short_logprobs;
    std::function<Result<std::string>(std::stop_token)> work =
        [transcript = std::move(read.transcript), logprobs = std::move(logprobs_),
         format = format_](std::stop_token) -> Result<std::string> {
      const std::string end = stream_end(transcript, format, logprobs);
      return sse_event(done_name, end) + sse_data("[DONE]");
    };
    if (!is_long) co_return work({});
    auto making =
        api_.services.texts.run<std::string>(owner_, std::move(work), std::move(read.memory));
    auto end = co_await std::move(making);
    co_return end;
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
      const std::string event = sse_event("error", error_response(error).body);
      co_await exchange_.write(event);
    }
  }

  const Api& api_;
  const std::string owner_;
  Exchange& exchange_;
  FollowedJob& followed_;
  const AnswerFormat format_;
  std::string text_{};
  openai::Json logprobs_ = openai::Json::array();  // of all deltas
  bool is_first_ = true;                           // no delta was sent yet
  steady_clock::time_point last_write_ = steady_clock::now();
};

asio::awaitable<void> answer_stream(Api& api, ApiCall& call, FollowedJob& followed,
                                    const TranscriptionForm& form) {
  DeltaStream stream(api, call, followed, form);
  auto running = stream.run();
  auto leaving = client_left(call.exchange);
  co_await race(std::move(running), std::move(leaving));
}

asio::awaitable<void> transcribe_for(Api& api, ApiCall& call, FormKind kind) {
  auto received = co_await receive_submission(api, call, kind);
  if (!received) {
    co_return co_await send_form_error(call.exchange, received.error());
  }
  const TranscriptionForm& form = received->form;
  auto submitting = submit_waited(api, call.exchange, std::move(received->request));
  const auto job = co_await std::move(submitting);
  if (!job) {
    const Error& error = job.error();
    co_return co_await send_unless_gone(call.exchange, error, parameter_of(error));
  }
  if (form.stream) {
    co_await answer_stream(api, call, **job, form);
  } else {
    co_await answer_whole(api, call, form, *job);
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
