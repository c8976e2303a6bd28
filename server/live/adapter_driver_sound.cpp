#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <cmath>
#include <iterator>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "protocol/live/container_begin.h"
#include "server/live/adapter_driver.h"
#include "server/live/live_services.h"

// What a driver does with the sound of its client.
namespace server {
namespace {

namespace live = protocol::live;
using std::chrono::steady_clock;

// A session that fails once is begun anew with the next sound. Where that fails, too, it waits so
// long before the next attempt, and the sound meanwhile is lost.
constexpr std::chrono::seconds pause_after_failure{1};

constexpr double rate_hz = 16'000;

double seconds_of(std::span<const float> pcm) {
  return static_cast<double>(pcm.size()) / rate_hz;
}

Error declared_raw(std::string_view container) {
  return {"unsupported_format",
          fmt::format("The audio is a stream of {}, and was declared as raw samples.", container),
          "Send raw samples, or do not declare them."};
}

}  // namespace

void AdapterDriver::receive(live::Actions actions) {
  std::ranges::move(actions, std::back_inserter(received_));
  carry_on();
}

// Events of the sessions are told between two pieces, so they do not wait in received_.
void AdapterDriver::carry_on() {
  std::size_t taken = 0;
  while (!received_.empty() && taken < piece_bytes) {
    live::Action& next = received_.front();
    const auto* sound = std::get_if<live::Sound>(&next);
    const std::size_t rest = sound ? sound->bytes.size() - taken_bytes_ : 0;
    taken += rest;
    if (rest > piece_bytes) return carry_out_piece(*sound);
    if (sound && taken_bytes_ > 0) {
      carry_out_piece(*sound);
    } else {
      live::Actions one;
      one.push_back(std::move(next));
      carry_out(std::move(one));
    }
    received_.pop_front();
    taken_bytes_ = 0;
  }
}

void AdapterDriver::carry_out_piece(const live::Sound& sound) {
  live::Actions one;
  one.push_back(live::Sound{.session = sound.session,
                            .format = sound.format,
                            .bytes = sound.bytes.substr(taken_bytes_, piece_bytes),
                            .channel = sound.channel});
  taken_bytes_ += piece_bytes;
  carry_out(std::move(one));
}

asio::awaitable<void> AdapterDriver::room() {
  const auto self = shared_from_this();
  const auto executor = live_.executor();
  co_await room_of_sessions();
  while (!received_.empty()) {
    co_await asio::post(executor, asio::use_awaitable);  // the others' turn
    carry_on();
    // Nobody hears sound that comes behind the end of the connection.
    if (outbox_.is_closing()) received_.clear();
    co_await room_of_sessions();
  }
}

asio::awaitable<void> AdapterDriver::room_of_sessions() {
  std::vector<std::shared_ptr<DrivenRun>> runs;
  std::vector<std::shared_ptr<KeptSession>> kept;
  std::vector<std::shared_ptr<StreamDecoder>> streams;
  for (const auto& [number, session] : sessions_) {
    if (session.run) runs.push_back(session.run);
    if (session.kept) kept.push_back(session.kept);
    if (session.stream) streams.push_back(session.stream);
  }
  for (const auto& run : runs) co_await run->sound.room();
  for (const auto& one : kept) co_await one->begun();
  for (const auto& stream : streams) co_await stream->room();
}

void AdapterDriver::carry_out_one(live::Sound& sound) {
  wishes_ = 0;
  DrivenSession* to = session(sound.session);
  if (!to || to->is_finished || finish_) return;
  const bool begins = !to->converter && to->given_s == 0;
  if (const auto name = begins ? live::container_of(sound.bytes, sound.format) : "";
      !name.empty()) {
    to->is_finished = true;
    return carry_out(adapter_->tell_undecodable(sound.session, declared_raw(name)));
  }
  if (!to->converter || to->format != sound.format || to->channel != sound.channel) {
    auto converter = PcmConverter::make(sound.format, sound.channel);
    if (!converter) return failed(sound.session, converter.error());
    to->converter.emplace(*std::move(converter));
    to->format = sound.format;
    to->channel = sound.channel;
  }
  hear(sound.session, *to, to->converter->convert(sound.bytes));
}

void AdapterDriver::hear(int number, DrivenSession& session, std::span<const float> given) {
  const double fit_s = live_.quota()->take(client_.principal, seconds_of(given));
  const auto pcm = std::span(given).first(
      std::min(given.size(), static_cast<std::size_t>(std::lround(fit_s * rate_hz))));
  if (session.kept) session.kept->hear(pcm);
  const auto now = steady_clock::now();
  // Sound that comes while a failed session waits for its new begin counts, for the client's times.
  const bool may_start = session.failures <= 1 || now - session.failed_at >= pause_after_failure;
  if (!session.run && may_start) start(number, session);
  session.given_s += seconds_of(pcm);
  if (session.run) {
    session.run->sound.push(pcm);
    session.run->clock.came(session.run->sound.pushed_s(), now);
  }
  if (pcm.size() == given.size()) return;
  session.converter.reset();  // with what it has kept back
  end_at_limit(live_.quota()->used_up(client_.principal));
}

void AdapterDriver::end_at_limit(const Error& error) {
  if (finish_) return;
  drop_streams();  // nobody may hear what else they have
  carry_out(adapter_->tell_limit(error));
  finish({1008, error.message});
}

}  // namespace server
