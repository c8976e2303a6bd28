#include "engine/schedule/schedule.h"

#include <algorithm>

#include "protocol/worker_contract.h"

namespace engine {
namespace {

using protocol::WorkClass;
using protocol::worker::urgent_windows;

constexpr int short_windows = 4;    // about two minutes of sound
constexpr int open_every = 8;       // one round in so many belongs to all
constexpr std::uint64_t grace = 8;  // later pieces that go before one, for each of its windows

// The piece with the least goes first: a transcription lets others pass for what it has had, but
// not for ever.
std::uint64_t turn(const WaitingPiece& piece) {
  const bool is_live = piece.urgency.work_class == WorkClass::live;
  const auto had = is_live ? 0 : static_cast<std::uint64_t>(piece.urgency.windows) + 1;
  return piece.number + grace * had;
}

}  // namespace

bool is_urgent(const Urgency& urgency) {
  switch (urgency.work_class) {
    case WorkClass::live:
      return true;
    case WorkClass::interactive:
      return urgency.windows < short_windows;
    case WorkClass::background:
      return false;
  }
  return false;
}

void Schedule::begin_round() {
  is_open_ = ++rounds_ >= open_every;
  if (is_open_) rounds_ = 0;
  has_taken_oldest_ = false;
}

std::optional<std::size_t> Schedule::next(std::span<const WaitingPiece> waiting,
                                          const WindowsHeld& held, bool urgent_decodes) {
  std::optional<std::size_t> oldest, urgent;
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    if (!has_room(waiting[i], held)) continue;
    if (!oldest) oldest = i;
    const bool is_first = !urgent || turn(waiting[i]) < turn(waiting[*urgent]);
    if (is_urgent(waiting[i].urgency) && is_first) urgent = i;
  }
  const bool is_under_way = urgent || urgent_decodes || held.urgent > 0;
  if (!is_under_way) {
    rounds_ = 0;
    return oldest;
  }
  if (is_open_ && !has_taken_oldest_ && oldest) {
    has_taken_oldest_ = true;
    return oldest;
  }
  return urgent;
}

bool Schedule::has_room(const WaitingPiece& piece, const WindowsHeld& held) const {
  if (!piece.takes_window || windows_ == 0) return true;
  if (held.urgent + held.others >= windows_ + urgent_windows) return false;
  return is_urgent(piece.urgency) ? held.urgent <= windows_ : held.others < windows_;
}

}  // namespace engine
