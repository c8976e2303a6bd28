#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "protocol/live_options.h"
#include "protocol/transcribe_options.h"
#include "protocol/transcript_event.h"
#include "server/base/error.h"

namespace server {

namespace asio = boost::asio;

class ModelPool;

struct LiveRequest {
  std::string id{};          // of the session, for the log
  std::string request_id{};  // the client's request that it is for
  std::string owner{};       // whose it is
  std::string model{};       // a model of the store, by its own name
  protocol::TranscribeOptions options{};
  protocol::LiveSettings settings{};
};

// One session of live sound: what is pushed becomes events, from a worker of the pool. It is used
// on the executor's thread. Sound that the worker does not take waits here: a caller that awaits
// room() before it pushes more keeps it to `most_waiting_s` and one piece, so that the client's
// socket is not read meanwhile.
class LiveSession {
 public:
  static constexpr double most_waiting_s = 60;
  // Wishes that are further on than the worker's sound; room() waits at more of them.
  static constexpr std::size_t most_wishes = 256;

  LiveSession(asio::any_io_executor executor, ModelPool& pool, LiveRequest request);
  LiveSession(const LiveSession&) = delete;
  ~LiveSession();

  // Runs the session to its end: until finish() was called and all text is told to `sink`, or until
  // it fails. Cancelling it ends the session at once. To be called once.
  asio::awaitable<Result<void>> run(protocol::TranscriptSink sink);

  // Gives samples in [-1, 1], 16 kHz, mono. Does nothing once finish() was called or run() has
  // ended.
  void push(std::span<const float> pcm);
  // Waits until less than most_waiting_s waits, or run() has ended. One caller at a time.
  asio::awaitable<void> room();
  // Returns whether room() would wait.
  bool is_full() const;

  // These hold from the sound on that is pushed next (protocol/live/adapter.h).
  void commit();
  void clear();
  void configure(protocol::LiveSettings settings);
  void finish();
  // The session will not run: nobody waits for its room any more.
  void give_up();

  double pushed_s() const;
  double heard_s() const;  // as the worker told last

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace server
