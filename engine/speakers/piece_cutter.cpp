#include "engine/speakers/piece_cutter.h"

#include <algorithm>
#include <utility>

#include "engine/speakers/frames.h"

namespace engine {

void PieceCutter::push(bool one_voice, std::vector<Piece>& pieces) {
  const double begin = frame_time(frame_);
  if (!one_voice) {
    end_stretch(pieces);
  } else if (!open_) {
    open_ = true;
    cut_ = false;
    begin_ = next_ = begin;
  }
  ++frame_;
  if (!open_) return;
  const double known_end = std::min(frame_time(frame_), recording_end_);
  for (; next_ + piece_s < known_end; next_ += piece_hop_s) {
    pieces.push_back({next_, next_ + piece_s});
    cut_ = true;
  }
}

void PieceCutter::finish(std::vector<Piece>& pieces) {
  end_stretch(pieces);
}

// The stretch ends with the frame before this one.
void PieceCutter::end_stretch(std::vector<Piece>& pieces) {
  if (!std::exchange(open_, false)) return;
  const double end = std::min(frame_time(frame_), recording_end_);
  if (end - begin_ < least_piece_s) return;
  pieces.push_back({cut_ ? end - piece_s : next_, end});
}

}  // namespace engine
