#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "protocol/live/adapter.h"
#include "protocol/live/whole_frames.h"
#include "protocol/wyoming/frames.h"
#include "protocol/wyoming/info.h"
#include "protocol/wyoming/utterance.h"

namespace protocol::wyoming {

struct Settings {
  Info info{};
  TranscribeOptions options{};
  LiveOptions live{};
};

// One connection of the Wyoming protocol, as Home Assistant's. It may carry several utterances,
// each of which is a session of its own: `transcribe`, `audio-start`, `audio-chunk`s and
// `audio-stop`, answered by `transcript-start`, `transcript-chunk`s as words are sure, `transcript`
// and `transcript-stop`. Where the client does not find the end of a command itself
// (`requires_external_vad` is false), the first turn ends the utterance.
class WyomingAdapter final : public live::Adapter {
 public:
  static constexpr double max_utterance_s = 600;
  static constexpr double max_pause_s = 30;       // within an utterance
  static constexpr double max_idle_s = 600;       // between utterances
  static constexpr std::size_t most_pending = 4;  // utterances whose transcript is awaited

  explicit WyomingAdapter(Settings settings) : settings_(std::move(settings)) {}

  live::Actions receive_text(std::string_view) override { return {}; }  // a stream has no texts
  live::Actions receive_bytes(std::string_view bytes) override;
  live::Actions tell(int session, const TranscriptEvent& event) override;
  live::Actions tell_end(int session) override;
  live::Actions tell_failure(int session, const Error& error) override;
  live::Actions tick(double silent_s) override;

 private:
  void take(Message message, live::Actions& actions);
  void start(const Message& message, live::Actions& actions);
  void take_sound(Message message, live::Actions& actions);
  void stop(live::Actions& actions);
  void open(live::Actions& actions);
  void abandon(live::Actions& actions);
  void finish(live::Actions& actions);
  void refuse(const Error& error, live::Actions& actions);
  live::Actions turn_ended(int session, const TurnEnded& turn);
  LiveSettings live_settings() const;

  Settings settings_;
  MessageReader reader_{};
  Wish wish_{};                            // of the next utterance, or the one at hand
  live::SoundFormat format_{};             // as audio-start said
  live::WholeFrames whole_frames_{};       // of the utterance at hand
  std::map<int, Utterance> utterances_{};  // whose transcript is to come, by their sessions
  std::optional<int> current_{};           // the session that sound is for
  bool ignores_sound_ = false;             // the utterance has ended before its audio-stop
  // Sessions that have not ended, also of utterances that are forgotten. A number is used again
  // when its session has ended: a connection may last for days.
  std::set<int> open_{};
  bool is_closed_ = false;
};

}  // namespace protocol::wyoming
