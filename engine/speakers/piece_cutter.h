#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace engine {

// A stretch of sound in which one voice speaks, in seconds: at most piece_s.
struct Piece {
  double begin = 0;
  double end = 0;

  friend bool operator==(const Piece&, const Piece&) = default;
};

constexpr double piece_s = 1.5;
constexpr double piece_hop_s = 0.6;
constexpr double least_piece_s = 0.4;  // shorter stretches say too little of a voice

// Cuts the stretches in which one voice speaks into pieces for the embedding network, frame by
// frame: a piece is cut as soon as its stretch is known to go on beyond it, so that only seconds of
// sound need to be kept. The last piece of a stretch ends with it and overlaps the one before.
class PieceCutter {
 public:
  // Takes the next frame of the recording.
  void push(bool one_voice, std::vector<Piece>& pieces);

  // Ends the stretch that is open; nothing is pushed any more.
  void finish(std::vector<Piece>& pieces);

  // The recording ends here; frames may reach beyond. To be called before they are pushed.
  void end_at(double seconds) { recording_end_ = seconds; }

  // Returns how many frames were pushed.
  std::int64_t frames() const { return frame_; }

 private:
  void end_stretch(std::vector<Piece>& pieces);

  std::int64_t frame_ = 0;
  double recording_end_ = std::numeric_limits<double>::infinity();
  // The open stretch.
  bool open_ = false;
  double begin_ = 0;
  double next_ = 0;   // where its next piece begins
  bool cut_ = false;  // it has given a piece
};

}  // namespace engine
