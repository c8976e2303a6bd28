#pragma once

#include "protocol/transcript_event.h"

namespace server {

// Where a session was begun anew after a failure: its client knows neither of the new begin nor
// that turns are counted from 1 again.
struct SessionShift {
  double seconds = 0;  // of sound that were given before
  int turns = 0;       // that were told of before
};

// Returns the event with times and turns as the client counts them.
protocol::TranscriptEvent shifted(protocol::TranscriptEvent event, const SessionShift& shift);

// Returns the turn that an event tells of; 0: none.
int turn_of(const protocol::TranscriptEvent& event);

}  // namespace server
