#include "server/live/shifted_event.h"

#include <variant>
#include <vector>

namespace server {
namespace {

void shift_words(std::vector<protocol::Word>& words, double seconds) {
  for (auto& word : words) {
    word.start += seconds;
    word.end += seconds;
  }
}

// Moves an event by the names of its fields; those that tell no time stay as they are.
template <class Event>
void shift_one(Event& event, const SessionShift& shift) {
  if constexpr (requires { event.turn; }) event.turn += shift.turns;
  if constexpr (requires { event.start_s; }) event.start_s += shift.seconds;
  if constexpr (requires { event.end_s; }) event.end_s += shift.seconds;
  if constexpr (requires { event.start; }) event.start += shift.seconds;
  if constexpr (requires { event.end; }) event.end += shift.seconds;
  if constexpr (requires { event.heard_s; }) event.heard_s += shift.seconds;
  if constexpr (requires { event.position_s; }) event.position_s += shift.seconds;
  if constexpr (requires { event.words; }) shift_words(event.words, shift.seconds);
}

}  // namespace

protocol::TranscriptEvent shifted(protocol::TranscriptEvent event, const SessionShift& shift) {
  std::visit([&](auto& one) { shift_one(one, shift); }, event);
  return event;
}

int turn_of(const protocol::TranscriptEvent& event) {
  const auto turn = [](const auto& one) {
    if constexpr (requires { one.turn; }) {
      return one.turn;
    } else {
      return 0;
    }
  };
  return std::visit(turn, event);
}

}  // namespace server
