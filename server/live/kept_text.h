#pragma once

#include <string>
#include <vector>

#include "protocol/transcript.h"
#include "protocol/transcript_event.h"

namespace server {

// Makes the segments of a job from what a live session tells. A segment ends with its turn; or with
// a sentence, once it is five seconds long; or when it is fifteen seconds long. Times are those of
// the job's sound.
class KeptText {
 public:
  struct Settings {
    double from_s = 0;  // the session's time at which its sound is kept; earlier words are dropped
    // Segments are made when their turn has ended, because only then all is known of them: its
    // speaker, or the text of a second look.
    bool waits_for_turns = false;
  };

  explicit KeptText(Settings settings) : settings_(settings) {}

  // Returns the segments that are complete with this event.
  std::vector<protocol::Segment> take(const protocol::TranscriptEvent& event);
  // Returns the words of a turn that has no end.
  std::vector<protocol::Segment> rest();

 private:
  std::vector<protocol::Segment> take_words(const protocol::LiveWords& told);
  std::vector<protocol::Segment> take_turn(const protocol::TurnEnded& turn);
  // Adds words to the segment at hand, and returns the segments that end with one of them.
  std::vector<protocol::Segment> add(const std::vector<protocol::Word>& words,
                                     const std::string& speaker);
  void end_segment(std::vector<protocol::Segment>& made, const std::string& speaker);
  void begin_turn(int turn);

  Settings settings_;
  int turn_ = 0;
  bool has_segment_ = false;  // one was made of the turn's words before its end
  // Words that no segment has yet, with the session's times.
  std::vector<protocol::Word> words_{};
};

}  // namespace server
