#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "protocol/deepgram/listen_settings.h"
#include "protocol/deepgram/messages.h"
#include "protocol/live/adapter.h"

namespace protocol::deepgram {

// One channel of a stream: makes Deepgram's messages of the events of its session.
//
// Finals follow each other without a gap or an overlap, from the first sample on; an interim begins
// where the last final ended. The words of a turn wait for its end, since clients read the end of
// speech with the words that it ends, but those of a long turn are told before.
class Channel {
 public:
  // `facts` and `settings` outlive the channel.
  Channel(const StreamFacts& facts, const ListenSettings& settings, int number)
      : facts_(facts), settings_(settings), number_(number) {}

  // Appends what is to be sent for an event.
  void tell(const TranscriptEvent& event, live::Actions& actions);

 private:
  void hear(const SpeechStarted& started, live::Actions& actions);
  void hear(const LiveWords& words, live::Actions& actions);
  void hear(const LiveText& text, live::Actions& actions);
  void hear(const TurnEnded& ended, live::Actions& actions);
  void hear(const Progress& progress, live::Actions& actions);
  template <class Other>
  void hear(const Other&, live::Actions&) {}

  void send_interim(double end_s, const std::string& tail, live::Actions& actions);
  void send_final(ChannelResult result, live::Actions& actions);
  void flush_long_turn(live::Actions& actions);
  void heard_up_to(double at_s, live::Actions& actions);
  std::span<const Word> rest_of(const TurnEnded& ended) const;
  std::optional<int> number_of(const std::string& speaker);

  const StreamFacts& facts_;
  const ListenSettings& settings_;
  int number_;
  double final_end_ = 0;                 // up to here finals were told
  std::vector<Word> pending_{};          // decided words behind it
  std::size_t told_words_ = 0;           // words of the turn at hand that finals have had
  double told_end_ = 0;                  // of the last of them
  std::vector<std::string> speakers_{};  // in the order of appearance
  // Where turns begin that have not ended: the next may begin before the text of one is there.
  std::map<int, double> begun_{};
  double heard_s_ = 0;
  std::string shown_{};                    // the text of the latest interim
  std::optional<double> last_word_end_{};  // of the finals; unset: no end of an utterance is due
};

}  // namespace protocol::deepgram
