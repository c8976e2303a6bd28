#include "server/transcription/channels.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/asio/this_coro.hpp>
#include <cerrno>
#include <cstring>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

#include "protocol/worker_contract.h"
#include "server/base/exhausted.h"
#include "server/base/race.h"
#include "server/transcription/channel_merge.h"
#include "server/transcription/channel_speakers.h"
#include "server/transcription/known_speakers.h"

namespace server {
namespace {

using protocol::ProgressPhase;

// Carries the failure of one channel out, so that the other is cancelled.
struct ChannelFailure {
  Error error;
};

constexpr char channel_not_found[] = "channel_not_found";

Error only_one_channel() {
  return {channel_not_found, "The recording has one channel, so there are none to split.",
          "Transcribe it without splitting channels."};
}

// Puts the events of both channels together into one transcript.
class MergedTranscript {
 public:
  struct Channel {
    protocol::Transcript part{};
    protocol::Progress progress{.phase = ProgressPhase::listening};
    std::optional<protocol::SpeakersFound> speakers{};  // none yet, or nobody asked
  };

  MergedTranscript(protocol::Transcript& transcript, protocol::TranscriptSink sink)
      : transcript_(transcript), sink_(std::move(sink)) {}

  Channel& channel(std::size_t number) { return channels_[number]; }

  void take(std::size_t channel, const protocol::TranscriptEvent& event) {
    std::visit([&](const auto& alternative) { take_one(channel, alternative); }, event);
  }
  void end(std::size_t channel) {
    auto& progress = channels_[channel].progress;
    progress.phase = ProgressPhase::diarizing;  // the last there is
    progress.position_s = std::numeric_limits<double>::infinity();
    tell(merge_.end(channel));
  }
  // Tells the speakers of both channels. Call it when both have ended: nothing is told of them
  // behind that.
  void tell_speakers(const TranscriptionRequest& request) {
    const auto& [left, right] = channels_;
    if (!left.speakers || !right.speakers) return;
    const auto merged = merge_speakers({*left.speakers, *right.speakers}, request.channel_labels,
                                       request.options.known_speakers);
    transcript_.turns = merged.turns;
    auto unheard = warning_of_unheard(request.options.known_speakers, transcript_);
    if (!unheard.empty()) transcript_.warnings.push_back(std::move(unheard));
    sink_(merged);
  }

 private:
  // Both channels report the format; one warning is enough.
  void take_one(std::size_t, const protocol::decoder::Format& format) {
    if (format.channels < 2) throw ChannelFailure{only_one_channel()};
    if (format.channels == 2 || std::exchange(has_left_some_out_, true)) return;
    transcript_.warnings.push_back(
        fmt::format("The recording has {} channels, and only the first two were transcribed.",
                    format.channels));
  }
  void take_one(std::size_t channel, const protocol::ModelLoaded& model) {
    if (std::exchange(is_loaded_, true)) return;
    const auto& part = channels_[channel].part;
    transcript_.device = part.device;
    transcript_.device_reason = part.device_reason;
    transcript_.fallback = part.fallback;
    transcript_.compute_type = part.compute_type;
    transcript_.task = part.task;
    sink_(model);
  }
  // If only the language is wanted, the channels are not split.
  void take_one(std::size_t, const protocol::LikeliestLanguages&) {}
  void take_one(std::size_t channel, const protocol::SpeakersFound& found) {
    channels_[channel].speakers = found;
  }
  // The language of the first channel is that of the whole.
  void take_one(std::size_t channel, const protocol::LanguageDetected& language) {
    if (channel == 0) sink_(language);
  }
  // Progress is that of the slower channel: a position is decided when both have decided it.
  void take_one(std::size_t channel, const protocol::Progress& progress) {
    // The present window may still give text.
    if (progress.phase == ProgressPhase::transcribing) {
      tell(merge_.advance(channel, progress.position_s - protocol::worker::window_s));
    }
    if (progress.phase == ProgressPhase::diarizing) tell(merge_.end(channel));
    channels_[channel].progress = progress;
    const auto& [left, right] = channels_;
    protocol::Progress slower = slower_channel();
    slower.duration_s = std::max(left.progress.duration_s, right.progress.duration_s);
    sink_(slower);
  }
  void take_one(std::size_t channel, const protocol::Segment& segment) {
    tell(merge_.add(channel, segment));
  }
  void take_one(std::size_t, const protocol::ModelLoading& loading) { sink_(loading); }
  // Only files are split into channels, and what is live has none.
  void take_one(std::size_t, const protocol::LiveText&) {}
  void take_one(std::size_t, const protocol::SpeechStarted&) {}
  void take_one(std::size_t, const protocol::SpeechStopped&) {}
  void take_one(std::size_t, const protocol::LiveWords&) {}
  void take_one(std::size_t, const protocol::TurnEnded&) {}

  const protocol::Progress& slower_channel() const {
    const auto& left = channels_[0].progress;
    const auto& right = channels_[1].progress;
    const bool right_is_slower =
        std::tie(right.phase, right.position_s) < std::tie(left.phase, left.position_s);
    return right_is_slower ? right : left;
  }

  void tell(const std::vector<protocol::Segment>& segments) {
    for (const auto& segment : segments) {
      transcript_.segments.push_back(segment);
      transcript_.text += segment.text;
      sink_(segment);
    }
  }

  protocol::Transcript& transcript_;
  protocol::TranscriptSink sink_;
  ChannelMerge merge_;
  std::array<Channel, 2> channels_{};
  bool is_loaded_ = false;
  bool has_left_some_out_ = false;
};

struct Transcribed {};

asio::awaitable<Transcribed> run(Decoders& decoders, ModelWorker& worker,
                                 TranscriptionRequest request, MergedTranscript& merged,
                                 std::size_t channel) {
  request.job += fmt::format("-channel-{}", channel);
  request.decoder.channel = static_cast<int>(channel) + 1;
  request.options = request.channels.at(channel);
  protocol::TranscriptSink sink = [&merged, channel](const protocol::TranscriptEvent& event) {
    merged.take(channel, event);
  };
  auto transcribing = transcribe(decoders, worker, std::move(request), merged.channel(channel).part,
                                 std::move(sink));
  const auto result = co_await std::move(transcribing);
  if (!result) throw ChannelFailure{result.error()};
  merged.end(channel);
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
  transcript.windows.full += part.windows.full;
  transcript.windows.shortened += part.windows.shortened;
  transcript.windows.checked += part.windows.checked;
  for (const auto& warning : part.warnings) {
    if (std::ranges::find(transcript.warnings, warning) == transcript.warnings.end()) {
      transcript.warnings.push_back(warning);
    }
  }
}

// Returns a copy of the request with another input.
TranscriptionRequest like(const TranscriptionRequest& request, platform::UniqueFd input) {
  return {.job = request.job,
          .request_id = request.request_id,
          .owner = request.owner,
          .input = std::move(input),
          .input_may_pause = request.input_may_pause,
          .decoder = request.decoder,
          .options = request.options,
          .work_class = request.work_class,
          .channels = request.channels,
          .channel_labels = request.channel_labels,
          .enough = request.enough};
}

// Opens the input once more. A decoder reads a file at offsets of its own, so several share it.
Result<platform::UniqueFd> shared_input(const platform::UniqueFd& input) {
  platform::UniqueFd again(::fcntl(input.get(), F_DUPFD_CLOEXEC, 3));
  if (again) return again;
  return exhausted_or(
      errno, {errc::internal, fmt::format("cannot read twice: {}", std::strerror(errno)), ""});
}

// Transcribes both channels. The error channel_not_found comes before there is any text.
asio::awaitable<Result<void>> transcribe_both(Decoders& decoders, ModelWorker& worker,
                                              TranscriptionRequest request,
                                              protocol::Transcript& transcript,
                                              protocol::TranscriptSink sink) {
  auto again = shared_input(request.input);
  if (!again) co_return again.error();
  MergedTranscript merged(transcript, std::move(sink));
  // One of the two decoders makes the copy, which has both channels.
  auto for_right = like(request, *std::move(again));
  const auto about = like(request, platform::UniqueFd());
  std::optional<Error> failure;
  try {
    auto left = run(decoders, worker, std::move(request), merged, 0);
    auto right = run(decoders, worker, std::move(for_right), merged, 1);
    co_await both(std::move(left), std::move(right));
    merged.tell_speakers(about);
  } catch (const ChannelFailure& failed) {
    failure = failed.error;
    // Before both channels have given text, the failure is one of the whole input.
    if (!transcript.segments.empty()) {
      merged.end(0);
      merged.end(1);
    }
  }
  if (failure && failure->code == channel_not_found) co_return *std::move(failure);
  add_part(transcript, merged.channel(0).part);
  add_part(transcript, merged.channel(1).part);
  if (failure) co_return *std::move(failure);
  co_return Result<void>{};
}

}  // namespace

asio::awaitable<Result<void>> transcribe_channels(Decoders& decoders, ModelWorker& worker,
                                                  TranscriptionRequest request,
                                                  protocol::Transcript& transcript,
                                                  protocol::TranscriptSink sink) {
  if (request.input_may_pause) {
    co_return Error{errc::usage, "channels are split by reading the input twice",
                    "Save it in a file."};
  }
  auto again = shared_input(request.input);
  if (!again) co_return again.error();
  auto whole = like(request, *std::move(again));
  whole.copy = request.copy;
  whole.on_decoded = request.on_decoded;
  auto splitting = transcribe_both(decoders, worker, std::move(request), transcript, sink);
  auto result = co_await std::move(splitting);
  const bool has_one_channel = !result && result.error().code == channel_not_found;
  if (!has_one_channel) co_return result;
  auto transcribing = transcribe(decoders, worker, std::move(whole), transcript, std::move(sink));
  result = co_await std::move(transcribing);
  transcript.warnings.push_back("The recording has one channel, so no channels were split.");
  co_return result;
}

}  // namespace server
