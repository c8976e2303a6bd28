#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "protocol/work_class.h"

namespace engine {

// The urgency of a piece of work: what its transcription is, and how many windows of that were
// encoded before. The length of a recording may be unknown, what was done for it is not.
struct Urgency {
  protocol::WorkClass work_class = protocol::WorkClass::interactive;
  int windows = 0;
  std::uint64_t owner = 0;  // whose the transcription is
};

// Returns whether somebody waits for it, and it has been short so far. A client that waits for a
// long recording has it done beside those for which nobody waits.
bool is_urgent(const Urgency& urgency);

// A piece of work that has not begun.
struct WaitingPiece {
  std::uint64_t number = 0;  // in the order of arrival
  Urgency urgency;
  bool takes_window = false;  // its result holds one
  int rows = 0;               // that it takes until it has ended
  int spared = 0;             // positions that a short window leaves free of its place
};

// The places that there are for encoded windows, and for the rows of decodes. 0: any number.
struct Places {
  int windows = 0;
  int urgent_windows = 0;  // further ones, which only urgent work has
  int rows = 0;
  int window_positions = 1;  // that the place of a window has, all of which a full one takes
};

// The rows that a decode has unless somebody wants another number: openai/whisper's beams.
inline constexpr int usual_rows = 5;

// A decode on its way through the steps of a CPU, where every row costs time.
struct StepTurn {
  int rows = 0;
  std::uint64_t owner = 0;
  std::int64_t due = 0;  // the turn, as the schedule counts them, in which it steps next
};

// The places that somebody holds.
struct Held {
  int urgent = 0;  // windows
  int others = 0;
  int urgent_rows = 0;
  int other_rows = 0;
  std::vector<std::uint64_t> owners{};  // of the urgent windows
  // Positions that short windows leave free of their places.
  int urgent_spared = 0;
  int other_spared = 0;
};

// Decides which piece of work the device does next, and which decodes take a step. Between two
// steps what is urgent goes in at once, before all else, while the rest has one round in a few:
// then the piece that has waited longest goes in, and all decodes step. So a short recording waits
// for one piece of others at most, and nothing starves. With nothing urgent under way all goes in
// as it comes. It is pure: it knows neither pieces nor clocks.
//
// Owners share what is urgent, whatever number of transcriptions each has: who has fewer windows
// under way goes first, and on a CPU nobody begins another window while somebody else has one under
// way, and the decodes of one owner take turns that cost what another's do.
//
// A piece that there is no place for waits, and those behind it that need fewer rows, or a shorter
// window, do not pass it. Urgent work has the first of the rows that get free; but a piece whose
// round has come books the rows that it lacks, and then urgent work waits for them too.
class Schedule {
 public:
  // `steps_together` says that a step of many decodes takes as long as that of one, as on a GPU.
  Schedule(const Places& places, bool steps_together)
      : places_(places), steps_together_(steps_together) {}

  void begin_round();

  // Returns the index in `waiting`, which is in the order of arrival; nothing where it is time for
  // a step.
  std::optional<std::size_t> next(std::span<const WaitingPiece> waiting, const Held& held,
                                  bool urgent_decodes);

  // Returns false where decodes that are not urgent rest in this round, as there are urgent ones.
  bool all_step() const { return steps_together_ || is_open_; }

  // Returns the turn of a decode that begins now.
  StepTurn begin_steps(int rows, std::uint64_t owner) const { return {rows, owner, turn_}; }
  // Returns which of these decodes take the next step together, by index, ascending, and counts it
  // as their turn; at least one. Those with usual_rows or fewer always do. A decode with more has
  // one turn in so many as it has times usual_rows, so it takes no more of the device than a usual
  // one; and of several with more as many step together as the device has rows at once. Where no
  // other steps, it does not wait. Where several owners have decodes, the rows of all decodes of an
  // owner count for each of them.
  std::vector<std::size_t> whose_step(std::span<StepTurn*> decodes);

 private:
  // The pieces that are next to take rows: of the urgent ones, and of the others.
  struct NextForRows {
    const WaitingPiece* urgent = nullptr;
    const WaitingPiece* other = nullptr;
  };

  // The turns of the first pieces for whose windows there is no place.
  struct FirstWithoutWindow {
    std::optional<std::uint64_t> urgent, other;
  };

  FirstWithoutWindow first_without_window(std::span<const WaitingPiece> waiting, const Held& held,
                                          bool urgent_decodes) const;
  static NextForRows next_for_rows(std::span<const WaitingPiece> waiting, const Held& held);
  // Returns whether the owner of this piece has a window under way beside those of others.
  bool lets_others_finish(const WaitingPiece& piece, const Held& held) const;
  bool has_room(const WaitingPiece& piece, const Held& held, const NextForRows& next) const;
  bool has_window(const WaitingPiece& piece, const Held& held) const;
  bool has_rows(const WaitingPiece& piece, const Held& held, const NextForRows& next) const;

  Places places_;
  bool steps_together_;
  int rounds_ = 0;  // in which urgent work was under way, since one was open to all
  bool is_open_ = false;
  std::int64_t turn_ = 0;                 // of the steps
  bool has_taken_oldest_ = false;         // in this open round
  std::optional<std::uint64_t> booking_;  // the number of the piece that rows are kept for
};

}  // namespace engine
