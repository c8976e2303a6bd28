#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/live/adapter.h"
#include "protocol/live/whole_frames.h"

// The socket of Jigasi, which brings the conferences of Jitsi Meet to a transcription service
// (WhisperWebsocket.java in jitsi/jigasi, streaming_whisper in jitsi/skynet).
namespace protocol::jigasi {

// A binary frame: whose sound it is, and sound as 16-bit numbers, 16 kHz, mono. It may begin
// and end within a number.
struct SoundFrame {
  std::string participant{};
  std::string language{};  // a code; empty: unknown, or none that is known here
  std::string sound{};
};

// The header of a frame: the participant, a vertical bar, the language, zeros.
inline constexpr std::size_t header_bytes = 60;

// Nothing: the frame is too short, or names nobody.
std::optional<SoundFrame> read_frame(std::string_view frame);

// One connection with the participants of a conference, each of which is a session.
class JigasiAdapter final : public live::Adapter {
 public:
  static constexpr std::size_t most_participants = 64;  // who are heard at a time
  // The session of somebody who has not been heard for so long ends, and begins anew with sound.
  static constexpr std::int64_t most_silence_ms = 60'000;

  struct Setup {
    std::string model{};  // the server's own name
    TranscribeOptions options{};
    std::function<std::string()> new_id{};             // a UUID, which Jigasi wants for each turn
    std::function<std::int64_t()> milliseconds_now{};  // since 1970
  };

  explicit JigasiAdapter(Setup setup) : setup_(std::move(setup)) {}

  // There are no text frames: they are ignored.
  live::Actions receive_text(std::string_view text) override;
  live::Actions receive_bytes(std::string_view bytes) override;
  live::Actions tell(int session, const TranscriptEvent& event) override;
  live::Actions tell_end(int session) override;
  live::Actions tell_failure(int session, const Error& error) override;
  live::Actions tick(double silent_s) override;

 private:
  // The turn at hand of somebody.
  struct Turn {
    std::string id{};           // empty: no text of it was told
    std::int64_t begun_ms = 0;  // when its first text was there
    std::vector<Word> words{};  // decided
    std::string shown{};
  };

  // Somebody's session, from the first sound to the end of it.
  struct Participant {
    std::string name{};
    std::string language{};
    std::int64_t heard_ms = 0;  // the last sound
    live::WholeFrames whole_frames{};
    Turn turn{};
    bool has_left = false;  // the end of the sound was told to the session
    bool is_over = false;   // the session has ended: its number is free
  };

  LiveSettings live_settings(const std::string& language) const;
  // Returns a number for a new session; nothing: there are too many.
  std::optional<std::size_t> free_number();
  // Returns the number of the participant's session, which is opened where it is new; nothing:
  // there are too many.
  std::optional<int> session_of(const SoundFrame& frame, live::Actions& actions);
  live::Actions end();
  live::Actions end_of(int session);
  std::string answer(Participant& participant, const std::string& text, bool is_final,
                     double probability);

  Setup setup_;
  std::vector<Participant> participants_{};  // by session
  bool is_closing_ = false;
};

}  // namespace protocol::jigasi
