#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "server/base/error.h"

namespace server {

namespace asio = boost::asio;

class ModelPool;

// Takes decoded audio in [-1, 1], 16 kHz, mono; nothing more is decoded before it returns.
using PcmSink = std::function<asio::awaitable<void>(std::span<const float> pcm)>;

// The audio of a client that streams a file format (WebM, Ogg, MP3 …), decoded while it comes by a
// decoder process of its own. Timestamps are ignored, since a pause of the client is no silence. It
// is used on the executor's thread; destroying it ends the process.
class StreamDecoder {
 public:
  // room() waits while more bytes wait.
  static constexpr std::size_t most_waiting_bytes = 128 << 10;

  // Errors: those of a process that cannot be started.
  static Result<std::unique_ptr<StreamDecoder>> start(asio::any_io_executor executor,
                                                      ModelPool& pool, std::string owner);
  StreamDecoder(const StreamDecoder&) = delete;
  ~StreamDecoder();

  // Decodes until finish() was called and all audio went to `sink`, or until the stream cannot be
  // decoded. To be called once; it may outlive this object. Errors: the decoder's.
  asio::awaitable<Result<void>> run(PcmSink sink);

  void write(std::string_view bytes);
  // Waits until few bytes wait, or nothing is decoded any more. One caller at a time.
  asio::awaitable<void> room();
  // Returns when the bytes so far are decoded, as far as can be told: the decoder has read them and
  // gives nothing more.
  asio::awaitable<void> settled();
  // No bytes come any more.
  void finish();
  // Ends the process, also while somebody else holds this object, as who waits for room() does.
  void drop();
  // Returns whether run() has ended.
  bool has_ended() const;

 private:
  struct State;
  explicit StreamDecoder(std::shared_ptr<State> state) : state_(std::move(state)) {}

  std::shared_ptr<State> state_;
};

}  // namespace server
