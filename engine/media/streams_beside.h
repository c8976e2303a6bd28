#pragma once

#include <optional>

namespace engine::media {

// Keeps where the counts of timestamps begin and end in the streams beside the audio track, so that
// joined recordings follow each other rightly where their video is longer than their audio, or
// begins earlier. Times are the container's, in seconds.
class StreamsBeside {
 public:
  // Takes a packet of such a stream, in the order of the container.
  void see(double begin, double end);
  // Says that so much of the track came without a new count. The two need not begin their counts at
  // once, but what one of them does alone is a fault of its own.
  void track_went_on(double seconds);

  struct Join {
    double end = 0;    // of the count before, in these streams
    double begin = 0;  // of the new count, in these streams and the track
  };
  // Says that the track began a new count, and with which timestamp; nothing: no stream was seen.
  std::optional<Join> track_joined(double begin);

 private:
  struct Count {
    double begin = 0;
    double end = 0;
  };
  std::optional<Count> count_{};
  std::optional<Count> before_{};  // which the track has not left yet
  bool is_behind_ = false;         // the track has left the count, and these streams have not yet
  double waited_s_ = 0;            // of either, for the other
};

}  // namespace engine::media
