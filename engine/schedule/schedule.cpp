#include "engine/schedule/schedule.h"

#include <algorithm>
#include <map>
#include <utility>

namespace engine {
namespace {

using protocol::WorkClass;

constexpr int short_windows = 4;    // about two minutes of sound
constexpr int open_every = 8;       // one round in so many belongs to all
constexpr std::uint64_t grace = 8;  // later pieces that go before one, for each of its windows

// A CPU's decoder takes so many rows at once (engine/whisper/cpu): more take as much longer.
constexpr int rows_at_once = 48;

// Returns in how many turns a decode has one that counts as so many rows.
std::int64_t turns_of(int rows) {
  return std::max(1, (rows + usual_rows - 1) / usual_rows);
}

// Returns as how many rows each decode counts.
std::vector<int> counted_rows(std::span<StepTurn*> decodes) {
  std::map<std::uint64_t, int> of_owner;
  for (const StepTurn* decode : decodes) of_owner[decode->owner] += decode->rows;
  std::vector<int> rows;
  for (const StepTurn* decode : decodes) {
    rows.push_back(of_owner.size() > 1 ? of_owner[decode->owner] : decode->rows);
  }
  return rows;
}

std::uint64_t windows_of(std::uint64_t owner, const Held& held) {
  return static_cast<std::uint64_t>(std::ranges::count(held.owners, owner));
}

// The piece with the least goes first: a transcription lets others pass for what it has had, and an
// owner for what is under way, but not for ever. What is live lets nobody pass for what it has had.
std::uint64_t turn(const WaitingPiece& piece, const Held& held) {
  const bool is_live = piece.urgency.work_class == WorkClass::live;
  const auto had = is_live ? 0 : static_cast<std::uint64_t>(piece.urgency.windows) + 1;
  const auto under_way = piece.takes_window ? windows_of(piece.urgency.owner, held) : 0;
  return piece.number + grace * (had + under_way);
}

// The place among the pieces of a kind: others come in the order of arrival.
std::uint64_t order(const WaitingPiece& piece, const Held& held) {
  return is_urgent(piece.urgency) ? turn(piece, held) : piece.number;
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

std::optional<std::size_t> Schedule::next(std::span<const WaitingPiece> waiting, const Held& held,
                                          bool urgent_decodes) {
  if (booking_ && std::ranges::find(waiting, *booking_, &WaitingPiece::number) == waiting.end()) {
    booking_.reset();
  }
  const NextForRows rows = next_for_rows(waiting, held);
  const FirstWithoutWindow without = first_without_window(waiting, held, urgent_decodes);
  std::optional<std::size_t> oldest, urgent;
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    if (!has_room(waiting[i], held, rows)) continue;
    if (waiting[i].takes_window) {
      const auto& first = is_urgent(waiting[i].urgency) ? without.urgent : without.other;
      if (first && *first < order(waiting[i], held)) continue;
    }
    if (urgent_decodes && lets_others_finish(waiting[i], held)) continue;
    if (!oldest) oldest = i;
    const bool is_first = !urgent || turn(waiting[i], held) < turn(waiting[*urgent], held);
    if (is_urgent(waiting[i].urgency) && is_first) urgent = i;
  }
  const bool is_under_way = urgent || urgent_decodes || held.urgent > 0;
  if (!is_under_way) {
    rounds_ = 0;
    return oldest;
  }
  if (is_open_ && !has_taken_oldest_) {
    const bool is_its_round =
        rows.other && (!oldest || rows.other->number < waiting[*oldest].number);
    if (is_its_round && !booking_ && !has_rows(*rows.other, held, rows)) {
      booking_ = rows.other->number;
      return next(waiting, held, urgent_decodes);
    }
    if (oldest) {
      has_taken_oldest_ = true;
      return oldest;
    }
  }
  return urgent;
}

std::vector<std::size_t> Schedule::whose_step(std::span<StepTurn*> decodes) {
  ++turn_;
  const std::vector<int> counted = counted_rows(decodes);
  const auto is_usual = [](int rows) { return rows <= usual_rows; };
  const auto first = std::ranges::min_element(decodes, {}, &StepTurn::due);
  if (first != decodes.end() && std::ranges::none_of(counted, is_usual)) {
    turn_ = std::max(turn_, (*first)->due);
  }
  std::vector<std::size_t> steps, larger;
  int rows = 0;
  for (std::size_t i = 0; i < decodes.size(); ++i) {
    const bool all = steps_together_ || is_usual(counted[i]);
    if (all) rows += decodes[i]->rows;
    if (all || decodes[i]->due <= turn_) (all ? steps : larger).push_back(i);
  }
  std::ranges::stable_sort(larger, {}, [&](std::size_t i) { return decodes[i]->due; });
  bool is_first = true;
  for (const std::size_t i : larger) {
    if (!std::exchange(is_first, false) && rows + decodes[i]->rows > rows_at_once) continue;
    rows += decodes[i]->rows;
    steps.push_back(i);
  }
  std::ranges::sort(steps);
  for (const std::size_t i : steps) decodes[i]->due = turn_ + turns_of(counted[i]);
  return steps;
}

// A step of decodes that are under way brings their end nearer, so nobody waits for ever.
bool Schedule::lets_others_finish(const WaitingPiece& piece, const Held& held) const {
  const bool is_clip = piece.takes_window && is_urgent(piece.urgency) &&
                       piece.urgency.work_class == WorkClass::interactive;
  if (steps_together_ || !is_clip) return false;
  const auto own = windows_of(piece.urgency.owner, held);
  return own > 0 && own < held.owners.size();
}

// Short windows would else pass a full one for as long as they come.
Schedule::FirstWithoutWindow Schedule::first_without_window(std::span<const WaitingPiece> waiting,
                                                            const Held& held,
                                                            bool urgent_decodes) const {
  FirstWithoutWindow first;
  for (const WaitingPiece& piece : waiting) {
    if (has_window(piece, held)) continue;
    if (urgent_decodes && lets_others_finish(piece, held)) continue;
    auto& of_its_kind = is_urgent(piece.urgency) ? first.urgent : first.other;
    const std::uint64_t own = order(piece, held);
    if (!of_its_kind || own < *of_its_kind) of_its_kind = own;
  }
  return first;
}

Schedule::NextForRows Schedule::next_for_rows(std::span<const WaitingPiece> waiting,
                                              const Held& held) {
  NextForRows next;
  for (const WaitingPiece& piece : waiting) {
    if (piece.rows == 0) continue;
    const WaitingPiece*& of_its_kind = is_urgent(piece.urgency) ? next.urgent : next.other;
    // Others come in the order of arrival.
    const bool is_first =
        !of_its_kind || (is_urgent(piece.urgency) && turn(piece, held) < turn(*of_its_kind, held));
    if (is_first) of_its_kind = &piece;
  }
  return next;
}

bool Schedule::has_room(const WaitingPiece& piece, const Held& held,
                        const NextForRows& next) const {
  return has_window(piece, held) && has_rows(piece, held, next);
}

bool Schedule::has_window(const WaitingPiece& piece, const Held& held) const {
  if (!piece.takes_window || places_.windows == 0) return true;
  const int place = places_.window_positions;
  const int all = places_.windows + places_.urgent_windows;
  const int urgent = held.urgent * place - held.urgent_spared;
  const int others = held.others * place - held.other_spared;
  const int own = place - piece.spared;
  if (urgent + others + own > all * place) return false;
  // Each side leaves the other a place, where there are several.
  return is_urgent(piece.urgency) ? urgent + own <= std::max(1, all - 1) * place
                                  : others + own <= places_.windows * place;
}

bool Schedule::has_rows(const WaitingPiece& piece, const Held& held,
                        const NextForRows& next) const {
  if (piece.rows == 0 || places_.rows == 0) return true;
  const bool urgent = is_urgent(piece.urgency);
  if (&piece != (urgent ? next.urgent : next.other)) return false;
  const bool is_booked = booking_ == piece.number;
  if (booking_ && !is_booked) return false;
  const int kept = !urgent && !is_booked && next.urgent ? next.urgent->rows : 0;
  return held.urgent_rows + held.other_rows + piece.rows + kept <= places_.rows;
}

}  // namespace engine
