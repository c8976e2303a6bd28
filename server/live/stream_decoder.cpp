#include "server/live/stream_decoder.h"

#include <sys/ioctl.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <cstring>
#include <optional>
#include <utility>
#include <variant>

#include "platform/unique_fd.h"
#include "server/base/race.h"
#include "server/live/child_pipe.h"
#include "server/process/decoder.h"
#include "server/transcription/model_pool.h"

namespace server {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::size_t samples_at_once = 4096;
// How often a commit looks whether the bytes before it are decoded.
constexpr milliseconds settling_look_interval{20};
// A decoder that has read all and gives nothing for so long has nothing more to give.
constexpr milliseconds settling_time{150};
constexpr milliseconds memory_look_interval{200};
constexpr milliseconds most_settling_time{10'000};

}  // namespace

struct StreamDecoder::State {
  State(const asio::any_io_executor& executor, std::unique_ptr<Decoder> decoder, int input)
      : decoder(std::move(decoder)),
        in(executor, input),
        out(executor, this->decoder->take_pcm().release()),
        news(executor, steady_clock::time_point::max()),
        has_room(executor, steady_clock::time_point::max()) {}

  static asio::awaitable<Elapsed> feed(std::shared_ptr<State> self);
  static asio::awaitable<Elapsed> read(std::shared_ptr<State> self, PcmSink sink);
  static asio::awaitable<Elapsed> read_report(std::shared_ptr<State> self);
  static asio::awaitable<Elapsed> watch_memory(std::shared_ptr<State> self);
  static asio::awaitable<Result<void>> run(std::shared_ptr<State> self, PcmSink sink);
  static asio::awaitable<void> wait_for(asio::steady_timer& timer);
  bool is_settled();
  void end();

  std::unique_ptr<Decoder> decoder;
  asio::posix::stream_descriptor in;
  asio::posix::stream_descriptor out;
  std::string waiting{};     // bytes that the decoder has not been given
  std::string in_flight{};   // bytes that are being written
  bool is_finished = false;  // no more bytes come
  bool is_dropped = false;   // nobody wants the audio
  bool has_ended = false;    // nothing more is decoded
  std::optional<steady_clock::time_point> last_pcm{};
  asio::steady_timer news;      // cancelled when there are bytes to write, or no more come
  asio::steady_timer has_room;  // cancelled when bytes were written, or nothing is decoded any more
};

// Waits until the timer is cancelled. A cancelled call is noticed at the caller's next await.
asio::awaitable<void> StreamDecoder::State::wait_for(asio::steady_timer& timer) {
  boost::system::error_code woken;
  timer.expires_at(steady_clock::time_point::max());
  auto wait = asio::redirect_error(asio::use_awaitable, woken);
  co_await timer.async_wait(std::move(wait));
}

// Gives the decoder what waits, and closes its input at the end of the stream. It never ends: how
// the stream ends is told by read().
asio::awaitable<Elapsed> StreamDecoder::State::feed(std::shared_ptr<State> self) {
  boost::system::error_code failure;
  while (!failure && !self->has_ended) {
    if (self->waiting.empty()) {
      if (self->is_finished) break;
      co_await wait_for(self->news);
      continue;
    }
    self->in_flight = std::exchange(self->waiting, {});
    auto write = asio::redirect_error(asio::use_awaitable, failure);
    co_await asio::async_write(self->in, asio::buffer(self->in_flight), std::move(write));
    self->in_flight.clear();
    self->has_room.cancel();
  }
  // A decoder that reads no more says why in its report.
  self->is_finished = true;
  self->waiting.clear();
  self->in.close(failure);
  while (true) co_await wait_for(self->news);
}

asio::awaitable<Elapsed> StreamDecoder::State::read(std::shared_ptr<State> self, PcmSink sink) {
  std::array<float, samples_at_once> samples{};
  const auto bytes = std::as_writable_bytes(std::span(samples));
  std::size_t held = 0;  // bytes of samples, of which the last one may be cut
  while (true) {
    boost::system::error_code failure;
    auto reading = asio::redirect_error(asio::use_awaitable, failure);
    held += co_await self->out.async_read_some(
        asio::buffer(bytes.data() + held, bytes.size() - held), std::move(reading));
    if (failure) co_return Elapsed{};
    self->last_pcm = steady_clock::now();
    const std::size_t whole = held / sizeof(float);
    if (whole > 0) {
      auto taking = sink(std::span(samples).first(whole));
      co_await std::move(taking);
    }
    held -= whole * sizeof(float);
    std::memmove(bytes.data(), bytes.data() + whole * sizeof(float), held);
  }
}

// Reads the decoder's report while it decodes: one that nobody reads would stop it. It never ends.
asio::awaitable<Elapsed> StreamDecoder::State::read_report(std::shared_ptr<State> self) {
  co_await self->decoder->ended();
  while (true) co_await sleep_for(most_settling_time);
}

// Ends when the decoder wants much memory. Few decoders get it at once, and a stream would keep its
// place from the others for hours; audio that is streamed needs no index.
asio::awaitable<Elapsed> StreamDecoder::State::watch_memory(std::shared_ptr<State> self) {
  while (!self->decoder->has_asked_for_memory()) co_await sleep_for(memory_look_interval);
  co_return Elapsed{};
}

asio::awaitable<Result<void>> StreamDecoder::State::run(std::shared_ptr<State> self, PcmSink sink) {
  struct Ending {
    State& state;
    ~Ending() {
      state.has_ended = true;
      state.has_room.cancel();
    }
  };
  const Ending ending{*self};
  auto reading = read(self, std::move(sink));
  auto feeding = feed(self);
  auto reporting = read_report(self);
  auto serving = race(std::move(feeding), std::move(reporting));
  auto decoding = race(std::move(reading), std::move(serving));
  auto watching = watch_memory(self);
  const auto first = co_await race(std::move(decoding), std::move(watching));
  const bool wants_memory = first.index() == 1;
  boost::system::error_code ignored;
  self->in.close(ignored);
  if (self->is_dropped || wants_memory) {
    self->out.close(ignored);
    co_await self->decoder->stop();
    if (self->is_dropped) co_return Result<void>();
    co_return Error{errc::out_of_memory, "The stream needs too much memory to be decoded.",
                    "Send it as a file, or in another format."};
  }
  co_await self->decoder->ended();
  if (const auto error = self->decoder->error()) co_return *error;
  co_return Result<void>();
}

bool StreamDecoder::State::is_settled() {
  if (has_ended) return true;
  if (!waiting.empty() || !in_flight.empty()) return false;
  int unread = 0;
  if (in.is_open() && ::ioctl(in.native_handle(), FIONREAD, &unread) == 0 && unread > 0) {
    return false;
  }
  return last_pcm && steady_clock::now() - *last_pcm >= settling_time;
}

void StreamDecoder::State::end() {
  if (!has_ended) decoder->cut_short();
  has_ended = is_dropped = true;
  waiting.clear();
  boost::system::error_code ignored;
  out.close(ignored);
  news.cancel();
  has_room.cancel();
}

Result<std::unique_ptr<StreamDecoder>> StreamDecoder::start(asio::any_io_executor executor,
                                                            ModelPool& pool, std::string owner) {
  auto pipe = open_child_pipe();
  if (!pipe) return pipe.error();
  const DecoderOptions options{.timeline = "packed", .unbuffered = true, .owner = std::move(owner)};
  auto decoder = pool.start_decoder(options, std::move(pipe->read));
  if (!decoder) return decoder.error();
  auto state = std::make_shared<State>(executor, *std::move(decoder), pipe->write.release());
  return std::unique_ptr<StreamDecoder>(new StreamDecoder(std::move(state)));
}

StreamDecoder::~StreamDecoder() {
  drop();
}

asio::awaitable<Result<void>> StreamDecoder::run(PcmSink sink) {
  return State::run(state_, std::move(sink));
}

void StreamDecoder::write(std::string_view bytes) {
  if (state_->is_finished || state_->has_ended) return;
  state_->waiting += bytes;
  state_->news.cancel();
}

asio::awaitable<void> StreamDecoder::room() {
  const auto state = state_;
  while (!state->has_ended &&
         state->waiting.size() + state->in_flight.size() > most_waiting_bytes) {
    co_await State::wait_for(state->has_room);
  }
}

asio::awaitable<void> StreamDecoder::settled() {
  const auto state = state_;
  const auto deadline = steady_clock::now() + most_settling_time;
  if (state->last_pcm) state->last_pcm = steady_clock::now();  // for bytes that just came
  while (!state->is_settled() && steady_clock::now() < deadline)
    co_await sleep_for(settling_look_interval);
}

void StreamDecoder::drop() {
  state_->end();
}

bool StreamDecoder::has_ended() const {
  return state_->has_ended;
}

void StreamDecoder::finish() {
  state_->is_finished = true;
  state_->news.cancel();
}

}  // namespace server
