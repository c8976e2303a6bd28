#pragma once

#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "protocol/live/adapter.h"

// Plays a client and the sessions behind an adapter of live transcription, and checks what the
// adapter asks for.
namespace fuzz {

inline void must(bool holds) {
  if (!holds) std::abort();
}

// The sessions keep to protocol/live_events.h: turns have numbers from 1 and never overlap, and
// each commit is answered by the end of a turn, some time later.
class LivePlay {
 public:
  // `check_sent` gets what is sent to the client.
  LivePlay(protocol::live::Adapter& adapter, std::function<void(const std::string&)> check_sent)
      : adapter_(adapter), check_sent_(std::move(check_sent)) {}

  // A line that begins with one of these letters and a digit is an event of the session with that
  // number: s(peech begins) w(ords) p(artial) q(uiet) e(nd of a turn) f(ailure); a lonely "k" lets
  // time pass, a "j" answers a wish to keep the session, "b" stands before a binary frame, and "l"
  // before a line of a stream. All else is a text frame.
  void play(std::string_view input) {
    carry_out(adapter_.begin());
    while (!input.empty() && !is_closed_) {
      const auto end = input.find('\n');
      take(input.substr(0, end));
      input = end == input.npos ? "" : input.substr(end + 1);
    }
    if (is_closed_) return;
    carry_out(adapter_.tell_shutdown());
    for (auto& [number, session] : sessions_) finish(number, session);
  }

  bool is_closed() const { return is_closed_; }

 private:
  struct Session {
    int turn = 0;
    bool is_in_turn = false;
    bool is_stopped = false;
    int commits = 0;  // that were not answered yet
    double at = 0;
    bool is_finishing = false;
  };

  void take(std::string_view line) {
    if (line == "k") return carry_out(adapter_.tick(1));
    if (line == "j") return answer_keep();
    if (line.starts_with('b')) return carry_out(adapter_.receive_bytes(line.substr(1)));
    if (line.starts_with('l'))
      return carry_out(adapter_.receive_bytes(std::string(line.substr(1)) + '\n'));
    const bool is_event = line.size() == 2 && line[1] >= '0' && line[1] <= '9';
    if (!is_event) return carry_out(adapter_.receive_text(line));
    const auto found = sessions_.find(line[1] - '0');
    if (found != sessions_.end()) happen(line[0], found->first, found->second);
  }

  void answer_keep() {
    if (keeps_ == 0) return;
    --keeps_;
    carry_out(adapter_.tell_kept(0, std::string("job")));
  }

  void happen(char what, int number, Session& session) {
    session.at += 0.25;
    if (what == 's') return begin_turn(number, session);
    if (what == 'e' && session.is_finishing) {
      finish(number, session);
      sessions_.erase(number);
      return;
    }
    if (what == 'e') return end_turn(number, session, protocol::TurnCause::silence);
    if (what == 'f') {
      session.is_in_turn = false;
      session.commits = 0;
      return carry_out(adapter_.tell_failure(number, {"worker_died", "It died.", ""}));
    }
    if (!session.is_in_turn) return;
    if (what == 'w') {
      protocol::Word word{.start = session.at - 0.25, .end = session.at, .word = " Word,"};
      tell(number, protocol::LiveWords{session.turn, {std::move(word)}});
    } else if (what == 'p') {
      tell(number, protocol::LiveText{session.at, " Word,", " perhaps"});
    } else if (what == 'q' && !std::exchange(session.is_stopped, true)) {
      tell(number, protocol::SpeechStopped{session.turn, session.at});
    }
  }

  void begin_turn(int number, Session& session) {
    if (std::exchange(session.is_in_turn, true)) return;
    session.is_stopped = false;
    tell(number, protocol::SpeechStarted{++session.turn, session.at});
  }

  void end_turn(int number, Session& session, protocol::TurnCause cause) {
    if (session.commits > 0) {
      --session.commits;
      cause = protocol::TurnCause::client;
    } else if (!session.is_in_turn) {
      return;
    }
    if (!std::exchange(session.is_in_turn, false)) ++session.turn;
    tell(number, protocol::TurnEnded{.turn = session.turn,
                                     .start_s = session.at - 0.25,
                                     .end_s = session.at,
                                     .text = "Word,",
                                     .language = "en",
                                     .cause = cause});
  }

  void finish(int number, Session& session) {
    do {
      end_turn(number, session, protocol::TurnCause::end);
    } while (session.commits > 0 && !is_closed_);
    session.is_finishing = true;
    if (!is_closed_) carry_out(adapter_.tell_end(number));
  }

  void tell(int number, const protocol::TranscriptEvent& event) {
    carry_out(adapter_.tell(number, event));
  }

  // No action has the adapter called at once, so they can be carried out as they stand.
  void carry_out(const protocol::live::Actions& actions) {
    for (const auto& action : actions) {
      std::visit([this](const auto& one) { check(one); }, action);
    }
  }

  Session& open_session(int number) {
    const auto found = sessions_.find(number);
    must(found != sessions_.end());
    return found->second;
  }

  void check(const protocol::live::Open& open) {
    must(sessions_.emplace(open.session, Session{}).second);
  }

  void check(const protocol::live::Sound& sound) {
    must(!open_session(sound.session).is_finishing);
    const auto& format = sound.format;
    must(format.rate >= 4000 && format.rate <= 192'000 && format.channels >= 1);
    must(sound.channel >= -1 && sound.channel < format.channels);
  }

  void check(const protocol::live::Commit& commit) { ++open_session(commit.session).commits; }
  void check(const protocol::live::Clear& clear) { open_session(clear.session).is_in_turn = false; }
  void check(const protocol::live::Configure& change) { open_session(change.session); }
  void check(const protocol::live::Keep&) { ++keeps_; }
  void check(const protocol::live::Finish& end) { open_session(end.session).is_finishing = true; }
  void check(const protocol::live::Send& send) { check_sent_(send.bytes); }

  // RFC 6455, 7.4 and 5.5.
  void check(const protocol::live::Close& close) {
    must((close.code >= 1000 && close.code <= 1003) || (close.code >= 1007 && close.code <= 1011) ||
         (close.code >= 3000 && close.code <= 4999));
    must(close.reason.size() <= 123);
    is_closed_ = true;
  }

  protocol::live::Adapter& adapter_;
  std::function<void(const std::string&)> check_sent_;
  std::map<int, Session> sessions_{};
  int keeps_ = 0;  // that were not answered yet
  bool is_closed_ = false;
};

}  // namespace fuzz
