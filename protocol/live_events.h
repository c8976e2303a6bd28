#pragma once

#include <string>
#include <vector>

#include "protocol/transcript.h"

// What a live transcription tells beside segments (transcript_event.h). Times are seconds from the
// first sample of the session. Turns are numbered from 1 and never overlap; for each of them come
// SpeechStarted, any number of LiveWords, SpeechStopped where a silence ended it, and TurnEnded, in
// this order, but that LiveWords may come behind SpeechStopped. A turn that a client's commit ends
// has a SpeechStarted only where speech was heard. A turn that a client clears has no TurnEnded,
// and LiveWords of it may come behind the wish. SpeechStarted and SpeechStopped do not wait for the
// text of earlier turns.
namespace protocol {

struct SpeechStarted {
  int turn = 0;
  double start_s = 0;  // includes the prefix padding

  friend bool operator==(const SpeechStarted&, const SpeechStarted&) = default;
};

struct SpeechStopped {
  int turn = 0;
  double end_s = 0;  // includes the silence that was waited for

  friend bool operator==(const SpeechStopped&, const SpeechStopped&) = default;
};

// Words that are decided for good: they follow those of the turn's earlier LiveWords.
struct LiveWords {
  int turn = 0;
  std::vector<Word> words{};

  friend bool operator==(const LiveWords&, const LiveWords&) = default;
};

enum class TurnCause {
  silence,  // turn detection
  client,   // a commit
  limit,    // the turn was too long
  end,      // the sound has ended
};

// The text of a turn, which may be empty.
struct TurnEnded {
  int turn = 0;
  double start_s = 0;
  double end_s = 0;
  std::string text{};         // without a space at its begin
  std::vector<Word> words{};  // with their times, whatever the options
  std::string language{};     // a code; empty: unknown
  double avg_logprob = 0;     // of the latest pass over it
  std::string speaker{};      // empty: unknown
  TurnCause cause = TurnCause::silence;

  friend bool operator==(const TurnEnded&, const TurnEnded&) = default;
};

}  // namespace protocol
