#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <chrono>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "server/base/race.h"
#include "server/live/adapter_driver.h"
#include "server/live/live_services.h"

// AdapterDriver decodes audio that its client streams in a file format.
namespace server {
namespace {

namespace live = protocol::live;

// A stream may decode to much more than it has bytes, so its decoder waits while the session has
// more audio than it takes.
constexpr std::chrono::milliseconds full_look_interval{50};

// When the server ends the sessions, their decoders go on for this long.
constexpr std::chrono::milliseconds last_decoding_time{1'000};

}  // namespace

DrivenSession* AdapterDriver::session_of(const StreamOf& of) {
  DrivenSession* found = session(of.number);
  const auto stream = of.stream.lock();
  return found && stream && found->stream == stream ? found : nullptr;
}

void AdapterDriver::carry_out_one(live::Encoded& encoded) {
  DrivenSession* to = session(encoded.session);
  if (!to || to->is_finished || finish_) return;
  if (!to->stream) start_stream(encoded.session, *to);
  if (to->stream) to->stream->write(encoded.bytes);
}

void AdapterDriver::start_stream(int number, DrivenSession& session) {
  auto started = StreamDecoder::start(live_.executor(), live_.models(), client_.principal);
  if (!started) return failed(number, started.error());
  session.stream = *std::move(started);
  const StreamOf of{weak_from_this(), number, session.stream};
  PcmSink sink = [of](std::span<const float> pcm) { return take_decoded(of, pcm); };
  auto serving = run_stream(of, session.stream->run(std::move(sink)));
  asio::co_spawn(live_.executor(), std::move(serving), asio::detached);
}

asio::awaitable<void> AdapterDriver::take_decoded(StreamOf of, std::span<const float> pcm) {
  std::shared_ptr<DrivenRun> run;
  if (const auto driver = of.driver.lock()) {
    DrivenSession* session = driver->session_of(of);
    if (!session) co_return;
    driver->wishes_ = 0;
    driver->hear(of.number, *session, pcm);
    run = session->run;
  }
  while (run && run->sound.is_full()) co_await sleep_for(full_look_interval);
}

asio::awaitable<void> AdapterDriver::run_stream(StreamOf of,
                                                asio::awaitable<Result<void>> running) {
  const auto result = co_await std::move(running);
  const auto driver = of.driver.lock();
  DrivenSession* session = driver ? driver->session_of(of) : nullptr;
  if (session) driver->stream_ended(of.number, *session, result);
}

// A client may commit right behind bytes that are not decoded yet. Further commits until then are
// the same one.
void AdapterDriver::commit_stream(int number, DrivenSession& session) {
  if (std::exchange(session.is_settling, true)) return;
  StreamOf of{weak_from_this(), number, session.stream};
  auto committing = commit_settled(std::move(of), session.stream->settled());
  asio::co_spawn(live_.executor(), std::move(committing), asio::detached);
}

asio::awaitable<void> AdapterDriver::commit_settled(StreamOf of, asio::awaitable<void> settling) {
  co_await std::move(settling);
  const auto driver = of.driver.lock();
  DrivenSession* session = driver ? driver->session_of(of) : nullptr;
  if (!session) co_return;
  session->is_settling = false;
  if (session->run) session->run->sound.commit();
}

bool AdapterDriver::is_streaming() const {
  return std::ranges::any_of(sessions_, [](const auto& one) {
    return one.second.stream && !one.second.stream->has_ended();
  });
}

void AdapterDriver::drop_streams() {
  std::vector<int> numbers;
  for (const auto& [number, session] : sessions_) {
    if (session.stream && !session.stream->has_ended()) numbers.push_back(number);
  }
  for (const int number : numbers) {
    DrivenSession& session = sessions_.at(number);
    session.stream->drop();
    session.stream.reset();
    if (session.is_finished) finish_session(number, session);
  }
}

asio::awaitable<void> AdapterDriver::drop_streams_later(std::weak_ptr<AdapterDriver> weak) {
  co_await sleep_for(last_decoding_time);
  if (const auto driver = weak.lock()) driver->drop_streams();
}

// A stream cannot be decoded behind a part that cannot be, so the connection ends with it.
void AdapterDriver::stream_ended(int number, DrivenSession& session, const Result<void>& result) {
  if (!result) {
    session.is_finished = true;
    return carry_out(adapter_->tell_undecodable(number, result.error()));
  }
  if (session.is_finished) finish_session(number, session);
}

}  // namespace server
