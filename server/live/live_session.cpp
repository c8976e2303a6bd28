#include "server/live/live_session.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "platform/unique_fd.h"
#include "protocol/worker_contract.h"
#include "server/base/race.h"
#include "server/live/child_pipe.h"
#include "server/transcription/model_pool.h"

namespace server {
namespace {

namespace wire = protocol::worker;

constexpr std::int64_t rate = wire::pcm_rate_hz;

// Small pieces of sound are joined up to so many samples, as each takes memory of its own.
constexpr std::size_t piece_samples = 16'384;

double in_seconds(std::int64_t samples) {
  return static_cast<double>(samples) / static_cast<double>(rate);
}

}  // namespace

struct LiveSession::State {
  State(asio::any_io_executor executor, ModelPool& pool, LiveRequest request)
      : executor(executor),
        pool(pool),
        request(std::move(request)),
        news(executor, asio::steady_timer::time_point::max()),
        has_room(executor, asio::steady_timer::time_point::max()) {}

  static asio::awaitable<Result<void>> run(std::shared_ptr<State> self,
                                           protocol::TranscriptSink sink);
  static asio::awaitable<Elapsed> feed(std::shared_ptr<State> self, platform::UniqueFd pipe);
  asio::awaitable<void> wait_for(asio::steady_timer& timer);

  bool is_full() const {
    const bool has_much_sound = in_seconds(pushed - written) > most_waiting_s;
    return has_much_sound || wishes.size() > most_wishes;
  }
  void wish(wire::Live::Wish what, std::optional<protocol::LiveSettings> settings = {});
  void begun(SendWish sender);
  void take(std::size_t bytes);  // the pipe has taken so many of the first piece
  void end();

  asio::any_io_executor executor;
  ModelPool& pool;
  LiveRequest request;
  std::deque<std::vector<float>> waiting{};  // sound that the pipe has not taken
  std::size_t taken_bytes = 0;               // of the first piece
  std::int64_t pushed = 0;                   // samples
  std::int64_t written = 0;
  double heard_s = 0;
  // Wishes whose sound the pipe has not taken yet; before the job has begun, all of them.
  std::deque<wire::Live> wishes{};
  SendWish send{};  // empty: the job has not begun
  bool is_finished = false;
  bool has_ended = false;
  asio::steady_timer news;      // cancelled when there is sound to write, or no more comes
  asio::steady_timer has_room;  // cancelled when some was written
};

// Waits until the timer is cancelled. A cancelled call is noticed at the caller's next await.
asio::awaitable<void> LiveSession::State::wait_for(asio::steady_timer& timer) {
  boost::system::error_code woken;
  timer.expires_at(asio::steady_timer::time_point::max());
  auto wait = asio::redirect_error(asio::use_awaitable, woken);
  co_await timer.async_wait(std::move(wait));
}

void LiveSession::State::wish(wire::Live::Wish what,
                              std::optional<protocol::LiveSettings> settings) {
  if (is_finished || has_ended) return;
  wire::Live message{.sample = pushed, .wish = what, .settings = std::move(settings)};
  if (send) send(message);
  if (!send || pushed > written) wishes.push_back(std::move(message));
}

void LiveSession::State::begun(SendWish sender) {
  send = std::move(sender);
  for (const wire::Live& message : wishes) send(message);
  // Those whose sound the pipe has taken meanwhile need no place any more.
  std::erase_if(wishes, [this](const wire::Live& message) { return message.sample <= written; });
  has_room.cancel();
}

void LiveSession::State::take(std::size_t bytes) {
  taken_bytes += bytes;
  const std::size_t samples = waiting.front().size();
  if (taken_bytes < samples * sizeof(float)) return;
  written += static_cast<std::int64_t>(samples);
  waiting.pop_front();
  taken_bytes = 0;
  while (send && !wishes.empty() && wishes.front().sample <= written) wishes.pop_front();
  has_room.cancel();
}

void LiveSession::State::end() {
  has_ended = true;
  send = nullptr;
  waiting.clear();
  wishes.clear();
  has_room.cancel();
  news.cancel();
}

// Writes what was pushed into the pipe and closes it at the end of the sound. It never ends: how
// the session ends is told by the worker, which also notices a pipe that is closed.
asio::awaitable<Elapsed> LiveSession::State::feed(std::shared_ptr<State> self,
                                                  platform::UniqueFd pipe) {
  asio::posix::stream_descriptor out(self->executor, pipe.release());
  boost::system::error_code failure;
  while (!failure) {
    if (self->waiting.empty()) {
      if (self->is_finished) break;
      co_await self->wait_for(self->news);
      continue;
    }
    const auto bytes = std::as_bytes(std::span(self->waiting.front())).subspan(self->taken_bytes);
    auto write = asio::redirect_error(asio::use_awaitable, failure);
    const std::size_t count =
        co_await out.async_write_some(asio::buffer(bytes.data(), bytes.size()), std::move(write));
    if (!failure) self->take(count);
  }
  out.close(failure);
  while (true) co_await self->wait_for(self->news);
}

asio::awaitable<Result<void>> LiveSession::State::run(std::shared_ptr<State> self,
                                                      protocol::TranscriptSink sink) {
  // Whoever waits for room must not wait for ever, however this ends.
  struct Ending {
    State& state;
    ~Ending() { state.end(); }
  };
  const Ending ending{*self};
  auto pipe = open_child_pipe();
  if (!pipe) co_return pipe.error();
  LiveSound sound{.job = self->request.id,
                  .request_id = self->request.request_id,
                  .owner = self->request.owner,
                  .options = self->request.options,
                  .live = self->request.settings.live,
                  .pcm = std::move(pipe->read)};
  sound.options.language = self->request.settings.language;
  sound.options.initial_prompt = self->request.settings.initial_prompt;
  sound.options.hotwords = self->request.settings.hotwords;
  sound.must_move_on = [state = self.get()] { return !state->waiting.empty(); };
  sound.begun = [state = self.get()](SendWish sender) { state->begun(std::move(sender)); };
  protocol::TranscriptSink told = [state = self.get(),
                                   sink = std::move(sink)](const protocol::TranscriptEvent& event) {
    if (const auto* live = std::get_if<protocol::LiveText>(&event)) {
      state->heard_s = std::max(state->heard_s, live->heard_s);
    }
    sink(event);
  };
  std::string model = self->request.model;
  auto listening = self->pool.listen(std::move(model), std::move(sound), std::move(told));
  auto feeding = feed(self, std::move(pipe->write));
  const auto first = co_await race(std::move(listening), std::move(feeding));
  co_return std::get<0>(first);
}

LiveSession::LiveSession(asio::any_io_executor executor, ModelPool& pool, LiveRequest request)
    : state_(std::make_shared<State>(std::move(executor), pool, std::move(request))) {}

LiveSession::~LiveSession() = default;

asio::awaitable<Result<void>> LiveSession::run(protocol::TranscriptSink sink) {
  return State::run(state_, std::move(sink));
}

void LiveSession::push(std::span<const float> pcm) {
  if (pcm.empty() || state_->is_finished || state_->has_ended) return;
  auto& waiting = state_->waiting;
  // A piece never moves in memory, as the pipe may be reading it.
  if (waiting.empty() || waiting.back().capacity() - waiting.back().size() < pcm.size()) {
    waiting.emplace_back().reserve(std::max(piece_samples, pcm.size()));
  }
  waiting.back().insert(waiting.back().end(), pcm.begin(), pcm.end());
  state_->pushed += static_cast<std::int64_t>(pcm.size());
  state_->news.cancel();
}

asio::awaitable<void> LiveSession::room() {
  const auto state = state_;
  while (state->is_full() && !state->has_ended) co_await state->wait_for(state->has_room);
}

bool LiveSession::is_full() const {
  return state_->is_full() && !state_->has_ended;
}

void LiveSession::commit() {
  state_->wish(wire::Live::Wish::commit);
}

void LiveSession::clear() {
  state_->wish(wire::Live::Wish::clear);
}

void LiveSession::configure(protocol::LiveSettings settings) {
  state_->wish(wire::Live::Wish::configure, std::move(settings));
}

void LiveSession::finish() {
  state_->is_finished = true;
  state_->news.cancel();
}

void LiveSession::give_up() {
  state_->end();
}

double LiveSession::pushed_s() const {
  return in_seconds(state_->pushed);
}

double LiveSession::heard_s() const {
  return state_->heard_s;
}

}  // namespace server
