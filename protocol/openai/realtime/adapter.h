#pragma once

#include <deque>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "protocol/live/adapter.h"
#include "protocol/live/whole_frames.h"
#include "protocol/openai/realtime/conversation.h"
#include "protocol/openai/realtime/ids.h"
#include "protocol/openai/realtime/long_append.h"
#include "protocol/openai/realtime/refusal.h"
#include "protocol/openai/realtime/server_events.h"
#include "protocol/openai/realtime/session.h"
#include "protocol/openai/realtime/session_json.h"

namespace protocol::openai::realtime {

struct RealtimeSetup {
  std::string seed{};  // random letters and digits, of which all ids are made
  // What holds until the client sets something else; its model is the server's or the address's.
  SessionConfig config{};
  Revision revision = Revision::released;
  TranscribeOptions options{};  // the server's, for what clients cannot set
  // Returns the name of the installed model that a client means, or why there is none.
  std::function<Result<std::string>(const std::string&)> find_model{};
  // Returns an error if a model of find_model() does not know the language of this code; empty: all
  // know all.
  std::function<Result<void>(const std::string& model, std::span<const std::string> codes)>
      check_languages{};
  std::function<double()> now{};  // seconds since 1970
  double most_session_s = 4 * 3600;
  double most_silent_s = 600;  // without anything from the client
};

// OpenAI's Realtime API for one transcription session over a WebSocket, in its released form and in
// that of the beta. Clients end at the first event `error`, so that is sent only where sound or
// meaning is lost.
class RealtimeAdapter final : public live::Adapter {
 public:
  explicit RealtimeAdapter(RealtimeSetup setup);

  live::Actions begin() override;
  live::Actions receive_text(std::string_view text) override;
  live::Actions receive_bytes(std::string_view bytes) override;
  live::Actions tell(int session, const TranscriptEvent& event) override;
  live::Actions tell_end(int session) override;
  live::Actions tell_failure(int session, const Error& error) override;
  live::Actions tell_undecodable(int session, const Error& error) override;
  live::Actions tell_kept(int session, const Result<std::string>& job) override;
  live::Actions tick(double silent_s) override;
  live::Actions tell_shutdown() override;
  live::Actions tell_limit(const Error& error) override;

 private:
  // An event of the client.
  struct Incoming {
    const nlohmann::json& body;
    std::string id{};                 // empty: none was given
    const LongAppend* cut = nullptr;  // set: it has the body's sound, which the body has not
  };
  using Handler = live::Actions (RealtimeAdapter::*)(const Incoming&);
  struct Row;

  // adapter_client.cpp: what the client sends.
  live::Actions update_session(const Incoming& in);
  live::Actions update_flat_session(const Incoming& in);
  live::Actions append(const Incoming& in);
  live::Actions commit(const Incoming& in);
  live::Actions clear(const Incoming& in);
  live::Actions retrieve_item(const Incoming& in);
  live::Actions delete_item(const Incoming& in);
  live::Actions keep(const Incoming& in);
  live::Actions open() const;
  std::string session_model() const;
  live::Actions take_config(SessionConfig next, const Incoming& in);
  std::optional<Refusal> language_problem(const SessionConfig& next) const;

  // adapter_turns.cpp: what the session tells.
  live::Actions on_speech_started(const SpeechStarted& event);
  live::Actions on_speech_stopped(const SpeechStopped& event);
  live::Actions on_words(const LiveWords& event);
  live::Actions on_turn_ended(const TurnEnded& event);
  live::Actions on_look(const LiveText& look);
  live::Actions on_progress(const Progress& progress);
  live::Actions tell_tail(const Item* item, const std::string& text, double heard_s);
  void add_stop(live::Actions& actions, Item& item, double end_s);
  void add_commit(live::Actions& actions, Item& item);
  // Tells that the buffer is cleared, for each clear whose commits were all answered.
  void add_cleared(live::Actions& actions);
  // Tells that all turns have failed that the client knows of.
  void add_failures(live::Actions& actions, const Refusal& why);

  // Ends the session's sound, and closes the connection when all of its text was told.
  live::Actions end(live::Close close);

  live::Send send(const char* type, Json fields);
  live::Actions refuse(const Refusal& refusal, const std::string& event_id);
  Json session_json() const;
  bool is_beta() const { return setup_.revision == Revision::beta; }
  bool detects_turns() const;

  RealtimeSetup setup_;
  Ids ids_;
  SessionConfig config_;
  Conversation conversation_;
  SessionFacts facts_{};
  bool is_open_ = false;              // the session has begun
  live::WholeFrames whole_frames_{};  // of the buffer at hand
  double pushed_s_ = 0;               // of sound
  double taken_s_ = 0;                // how much of it was committed or cleared
  std::deque<int> clears_{};  // that were not told yet: how many commits the client had sent
  int segments_ = 0;
  std::optional<std::string> keep_{};   // the wish to keep the session: the id of its event
  std::string job_{};                   // the session is kept as this job
  std::optional<live::Close> close_{};  // is to be sent when the session has ended
  double close_by_ = 0;                 // at this time at the latest
};

}  // namespace protocol::openai::realtime
