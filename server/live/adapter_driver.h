#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "protocol/live/adapter.h"
#include "server/base/error.h"
#include "server/base/trace.h"
#include "server/live/driven_session.h"
#include "server/live/live_places.h"
#include "server/live/outbox.h"

namespace server {

class LiveServices;

// Carries out what one adapter says, over any transport: frames of the client go in, frames for it
// come out of outbox(), and between them are the adapter's sessions. Actions are carried out at
// once and in the order in which the adapter gave them; only room() waits. It is used on the
// executor's thread, and made by std::make_shared. A client's frame may hold much sound: that is
// carried out piece by piece, by room(), and what the frame says behind it comes after it.
class AdapterDriver : public std::enable_shared_from_this<AdapterDriver> {
 public:
  static constexpr std::size_t most_sessions = 64;  // of one connection
  // Without sound in between: each is work for the worker.
  static constexpr int most_wishes = 100;
  // In a row of one session, without an event in between, while none of the others goes on.
  static constexpr int most_failures = 5;
  // So many bytes of the client's sound are carried out at once: they may become 16 times as many,
  // and the thread of all others is held meanwhile.
  static constexpr std::size_t piece_bytes = 64 << 10;

  struct Client {
    std::string principal{};
    Trace trace{};
  };

  // `place` is that of the first session; nullptr: it is taken with the session. `live` must
  // outlive this object.
  AdapterDriver(LiveServices& live, std::unique_ptr<protocol::live::Adapter> adapter, Client client,
                std::unique_ptr<LivePlace> place = nullptr);
  AdapterDriver(const AdapterDriver&) = delete;
  // Ends all sessions at once; those that are kept finish the text of what was heard.
  ~AdapterDriver();

  // These hand the adapter what has happened (protocol/live/adapter.h).
  void begin();
  void receive_text(std::string_view text);
  void receive_bytes(std::string_view bytes);
  void tick(double silent_s);

  // Carries out the rest of the client's frame, and waits until all sessions have room for more
  // sound. The next frame is received behind this.
  asio::awaitable<void> room();

  // Has the text of all sound so far told, and closes the connection so when that is done. What
  // room() has not come to is dropped.
  void finish(protocol::live::Close how);
  // The server ends: tells the adapter, and finishes.
  void shut_down();

  // Returns whether a session goes on.
  bool has_sessions() const;
  // Returns whether a session decodes a stream of a file format.
  bool is_streaming() const;

  Outbox& outbox() { return outbox_; }

 private:
  // Carries out what a frame of the client says, up to a piece of sound.
  void receive(protocol::live::Actions actions);
  void carry_on();
  void carry_out_piece(const protocol::live::Sound& sound);
  asio::awaitable<void> room_of_sessions();
  // Passes samples (16 kHz, mono) on to a session.
  void hear(int number, DrivenSession& session, std::span<const float> given);
  // adapter_driver_stream.cpp: the streams of file formats.
  void start_stream(int number, DrivenSession& session);
  struct StreamOf {
    std::weak_ptr<AdapterDriver> driver;
    int number;
    std::weak_ptr<StreamDecoder> stream;
  };
  static asio::awaitable<void> take_decoded(StreamOf of, std::span<const float> pcm);
  static asio::awaitable<void> run_stream(StreamOf of, asio::awaitable<Result<void>> running);
  static asio::awaitable<void> commit_settled(StreamOf of, asio::awaitable<void> settling);
  // Returns the session that still has this stream; nullptr: there is none any more.
  DrivenSession* session_of(const StreamOf& of);
  void commit_stream(int number, DrivenSession& session);
  // Ends all streams as far as they are decoded.
  void drop_streams();
  static asio::awaitable<void> drop_streams_later(std::weak_ptr<AdapterDriver> weak);
  void stream_ended(int number, DrivenSession& session, const Result<void>& result);
  // Carries out actions, and those that come from them.
  void carry_out(protocol::live::Actions actions);
  void carry_out_one(protocol::live::Open& open);
  void carry_out_one(protocol::live::Sound& sound);
  void carry_out_one(protocol::live::Encoded& encoded);
  void carry_out_one(protocol::live::Commit& commit);
  void carry_out_one(protocol::live::Clear& clear);
  void carry_out_one(protocol::live::Configure& configure);
  void carry_out_one(protocol::live::Keep& keep);
  void carry_out_one(protocol::live::Finish& finish);
  void carry_out_one(protocol::live::Send& send) { outbox_.send(std::move(send)); }
  void carry_out_one(protocol::live::Close& close) { outbox_.close(std::move(close)); }

  DrivenSession* session(int number);
  bool may_wish();
  void start(int number, DrivenSession& session);
  bool is_running(int number, const DrivenRun& run) const;
  void end_sound(int number, DrivenSession& session);
  void finish_session(int number, DrivenSession& session);
  // The client is gone: a session that is kept is finished, others end at once.
  void leave(DrivenSession& session);
  void kept(int number, const Result<std::string>& job);
  static asio::awaitable<void> run(std::weak_ptr<AdapterDriver> weak,
                                   std::shared_ptr<SoundQuota> quota,
                                   asio::awaitable<Result<void>> fetching,
                                   std::shared_ptr<DrivenRun> run, int number);
  void tell(int number, DrivenRun& run, const protocol::TranscriptEvent& event);
  void measure(DrivenRun& run, const protocol::TranscriptEvent& event);
  void ended(int number, const std::shared_ptr<DrivenRun>& run, const Result<void>& result);
  void note_end(DrivenRun& run);  // for the log
  void failed(int number, const Error& error);
  // The owner may not have more sound: the connection ends behind the text of what was heard.
  void end_at_limit(const Error& error);
  void close_if_finished();

  LiveServices& live_;
  std::unique_ptr<protocol::live::Adapter> adapter_;
  Client client_;
  std::unique_ptr<LivePlace> place_;  // of the first session, until it begins
  std::map<int, DrivenSession> sessions_{};
  std::deque<protocol::live::Action> actions_{};  // that are not carried out yet
  bool is_carrying_out_ = false;
  std::deque<protocol::live::Action> received_{};  // of the client's frame, that are still to come
  std::size_t taken_bytes_ = 0;                    // of the sound at their front
  int wishes_ = 0;                                 // since the last sound
  std::optional<protocol::live::Close> finish_{};  // set: all sessions end
  Outbox outbox_;
};

}  // namespace server
