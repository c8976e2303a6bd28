#include "server/transcription/channels.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/asio/this_coro.hpp>
#include <cerrno>
#include <cstring>
#include <limits>
#include <utility>

#include "protocol/worker_contract.h"
#include "server/base/race.h"
#include "server/transcription/channel_merge.h"

namespace server {
namespace {

namespace wire = protocol::worker;

// What both channels add to the one transcript.
class Conversation {
 public:
  Conversation(protocol::Transcript& transcript, TranscriptionEvents& events)
      : transcript_(transcript), events_(events) {}

  void on_loading() { events_.on_loading(); }
  void on_loaded(const wire::Loaded& model, const protocol::Transcript& part) {
    if (std::exchange(is_loaded_, true)) return;
    transcript_.device = part.device;
    transcript_.device_reason = part.device_reason;
    transcript_.fallback = part.fallback;
    transcript_.compute_type = part.compute_type;
    transcript_.task = part.task;
    events_.on_loaded(model);
  }
  // Both channels tell it.
  void on_format(const protocol::decoder::Format& format) {
    if (format.channels <= 2 || std::exchange(has_left_some_out_, true)) return;
    transcript_.warnings.push_back(fmt::format(
        "the recording has {} channels, and only the first two were transcribed", format.channels));
  }
  // The one that counts for the whole is the first channel's.
  void on_language(std::size_t channel, const wire::LanguageDetected& language) {
    if (channel == 0) events_.on_language(language);
  }
  // That of the slower channel: what is decided is decided in both.
  void on_progress(std::size_t channel, const wire::Progress& progress) {
    // Text of the window at hand may still come.
    if (progress.phase == "transcribing") {
      tell(merge_.advance(channel, progress.position_s - wire::window_s));
    }
    progress_[channel] = progress;
    wire::Progress slower = slower_channel();
    slower.duration_s = std::max(progress_[0].duration_s, progress_[1].duration_s);
    events_.on_progress(slower);
  }
  void on_segment(std::size_t channel, const protocol::Segment& segment) {
    tell(merge_.add(channel, segment));
  }
  void end(std::size_t channel) {
    progress_[channel].phase = "transcribing";
    progress_[channel].position_s = std::numeric_limits<double>::infinity();
    tell(merge_.end(channel));
  }

 private:
  const wire::Progress& slower_channel() const {
    const auto& [left, right] = progress_;
    const bool left_listens = left.phase == "listening";
    if (left_listens != (right.phase == "listening")) return left_listens ? left : right;
    return right.position_s < left.position_s ? right : left;
  }

  void tell(const std::vector<protocol::Segment>& segments) {
    for (const auto& segment : segments) {
      transcript_.segments.push_back(segment);
      transcript_.text += segment.text;
      events_.on_segment(segment);
    }
  }

  protocol::Transcript& transcript_;
  TranscriptionEvents& events_;
  ChannelMerge merge_;
  std::array<wire::Progress, 2> progress_{wire::Progress{.phase = "listening"},
                                          wire::Progress{.phase = "listening"}};
  bool is_loaded_ = false;
  bool has_left_some_out_ = false;
};

// Carries the failure of one channel out, so that the other is cancelled.
struct ChannelFailure {
  Error error;
};

Error only_one_channel() {
  return {"channel_not_found", "the recording has one channel, so there are none to split",
          "Transcribe it without splitting channels."};
}

struct ChannelRun : TranscriptionEvents {
  ChannelRun(Conversation& whole, std::size_t number) : conversation(whole), channel(number) {}

  void on_format(const protocol::decoder::Format& format) override {
    if (format.channels < 2) throw ChannelFailure{only_one_channel()};
    conversation.on_format(format);
  }
  void on_loading() override { conversation.on_loading(); }
  void on_loaded(const wire::Loaded& model) override { conversation.on_loaded(model, part); }
  void on_language(const wire::LanguageDetected& language) override {
    conversation.on_language(channel, language);
  }
  void on_progress(const wire::Progress& progress) override {
    conversation.on_progress(channel, progress);
  }
  void on_segment(const protocol::Segment& segment) override {
    conversation.on_segment(channel, segment);
  }

  Conversation& conversation;
  std::size_t channel;
  protocol::Transcript part{};
};

struct Transcribed {};

asio::awaitable<Transcribed> run(Decoders& decoders, ModelWorker& worker,
                                 TranscriptionRequest request, ChannelRun& channel) {
  request.job += fmt::format("-channel-{}", channel.channel);
  request.decoder.channel = static_cast<int>(channel.channel) + 1;
  request.options = request.channels.at(channel.channel);
  const auto result =
      co_await transcribe(decoders, worker, std::move(request), channel.part, channel);
  if (!result) throw ChannelFailure{result.error()};
  channel.conversation.end(channel.channel);
  co_return Transcribed{};
}

// Runs both; an exception of one cancels the other, and is thrown on.
asio::awaitable<void> both(asio::awaitable<Transcribed> left, asio::awaitable<Transcribed> right) {
  const auto executor = co_await asio::this_coro::executor;
  const auto [order, left_thrown, ignored, right_thrown, ignored_too] =
      co_await asio::experimental::make_parallel_group(
          asio::co_spawn(executor, std::move(left), asio::deferred),
          asio::co_spawn(executor, std::move(right), asio::deferred))
          .async_wait(asio::experimental::wait_for_one_error(), asio::use_awaitable);
  const auto& first = order[0] == 0 ? left_thrown : right_thrown;
  const auto& second = order[0] == 0 ? right_thrown : left_thrown;
  if (first) std::rethrow_exception(first);
  if (second) std::rethrow_exception(second);
}

void add_part(protocol::Transcript& transcript, const protocol::Transcript& part) {
  if (transcript.language.empty()) transcript.language = part.language;
  transcript.duration = std::max(transcript.duration, part.duration);
  auto& whole = transcript.timings;
  whole.load_s = std::max(whole.load_s, part.timings.load_s);
  whole.decode_s = std::max(whole.decode_s, part.timings.decode_s);
  whole.transcribe_s = std::max(whole.transcribe_s, part.timings.transcribe_s);
  whole.total_s = std::max(whole.total_s, part.timings.total_s);
  for (const auto& warning : part.warnings) {
    if (std::ranges::find(transcript.warnings, warning) == transcript.warnings.end()) {
      transcript.warnings.push_back(warning);
    }
  }
}

// Of a request, but for its input.
TranscriptionRequest like(const TranscriptionRequest& request, platform::UniqueFd input) {
  return {.job = request.job,
          .input = std::move(input),
          .input_may_pause = request.input_may_pause,
          .decoder = request.decoder,
          .options = request.options,
          .work_class = request.work_class,
          .channels = request.channels,
          .enough = request.enough};
}

}  // namespace

asio::awaitable<Result<void>> transcribe_channels(Decoders& decoders, ModelWorker& worker,
                                                  TranscriptionRequest request,
                                                  protocol::Transcript& transcript,
                                                  TranscriptionEvents& events) {
  if (request.input_may_pause) {
    co_return Error{errc::usage, "channels are split by reading the input twice",
                    "Save it in a file."};
  }
  // A decoder reads a file at places of its own, so both can read through one.
  platform::UniqueFd again(::fcntl(request.input.get(), F_DUPFD_CLOEXEC, 3));
  if (!again) {
    co_return Error{errc::internal, fmt::format("cannot read twice: {}", std::strerror(errno)), ""};
  }
  Conversation conversation(transcript, events);
  ChannelRun left(conversation, 0), right(conversation, 1);
  auto for_right = like(request, std::move(again));
  std::optional<Error> failure;
  try {
    co_await both(run(decoders, worker, std::move(request), left),
                  run(decoders, worker, std::move(for_right), right));
  } catch (const ChannelFailure& failed) {
    failure = failed.error;
    // Before anything was said in both, what failed is the input as a whole.
    if (!transcript.segments.empty()) {
      conversation.end(0);
      conversation.end(1);
    }
  }
  add_part(transcript, left.part);
  add_part(transcript, right.part);
  if (failure) co_return *std::move(failure);
  co_return Result<void>{};
}

}  // namespace server
