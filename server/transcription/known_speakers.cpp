#include "server/transcription/known_speakers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <cstring>
#include <utility>

#include "protocol/worker_contract.h"
#include "server/base/race.h"

namespace server {
namespace {

// The time that a clip may take to be decoded.
constexpr std::chrono::milliseconds decoding_limit{30'000};
constexpr auto most_bytes = static_cast<std::size_t>((protocol::most_clip_s + 1) *
                                                     protocol::worker::pcm_rate_hz * sizeof(float));

// Reads the sound to its end, and then how the decoder has ended.
asio::awaitable<std::string> read_pcm(Decoder& decoder) {
  const auto executor = co_await asio::this_coro::executor;
  asio::posix::stream_descriptor pipe(executor, decoder.take_pcm().release());
  std::string bytes;
  const auto [failure, size] = co_await asio::async_read(
      pipe, asio::dynamic_buffer(bytes, most_bytes), asio::as_tuple(asio::use_awaitable));
  if (failure == asio::error::operation_aborted) throw boost::system::system_error(failure);
  pipe.close();
  co_await decoder.ended();
  co_return bytes;
}

std::vector<float> samples_of(const std::string& bytes) {
  std::vector<float> samples(bytes.size() / sizeof(float));
  std::memcpy(samples.data(), bytes.data(), samples.size() * sizeof(float));
  return samples;
}

// An error of the clip says whose it is; others are of this machine.
Error of_clip(const std::string& name, const Error& error) {
  if (error.code == "too_long") {
    return {protocol::unusable_clip,
            fmt::format("The clip of {} is longer than {} s.", name, protocol::most_clip_s),
            "Cut out two to ten seconds of only this speaker."};
  }
  if (http_status(error.code) >= 500) return error;
  return {protocol::unusable_clip,
          fmt::format("The clip of {} cannot be used: {}", name, error.message), error.fix};
}

}  // namespace

asio::awaitable<Result<protocol::KnownSpeaker>> read_known_speaker(Decoders& decoders,
                                                                   std::string name,
                                                                   platform::UniqueFd file) {
  const auto executor = co_await asio::this_coro::executor;
  const DecoderOptions options{.max_seconds = protocol::most_clip_s,
                               .max_bytes = protocol::most_clip_bytes};
  const auto decoder = decoders.spawn(executor, options, std::move(file));
  if (!decoder) co_return decoder.error();
  const auto bytes = co_await within(decoding_limit, read_pcm(**decoder));
  if (!bytes) {
    co_return Error{protocol::unusable_clip,
                    fmt::format("The clip of {} takes too long to decode.", name),
                    "Try to convert it with another program."};
  }
  if (const auto error = (*decoder)->error()) co_return of_clip(name, *error);
  co_return protocol::KnownSpeaker{std::move(name), protocol::encode_clip(samples_of(*bytes))};
}

std::string warning_of_unheard(const std::vector<protocol::KnownSpeaker>& known,
                               const protocol::Transcript& transcript) {
  std::vector<std::string> unheard;
  for (const auto& speaker : known) {
    const bool is_heard =
        std::ranges::find(transcript.turns, speaker.name, &protocol::SpeakerTurn::speaker) !=
        transcript.turns.end();
    if (!is_heard) unheard.push_back(fmt::format("\"{}\"", speaker.name));
  }
  if (unheard.empty()) return "";
  return fmt::format("No voice in the recording is that of {}.", fmt::join(unheard, ", "));
}

}  // namespace server
