#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "protocol/error.h"
#include "protocol/live_options.h"
#include "protocol/transcribe_options.h"
#include "protocol/transcript_event.h"

// One interface of live transcription (OpenAI Realtime, Wyoming, Deepgram, Jigasi) is one Adapter:
// a state machine without I/O, that says what to do for each frame of the client and for each event
// of a session. `server/live` carries it out, for all of them in the same way.
namespace protocol::live {

enum class SampleType { s8, s16le, s24le, s32le, f32le, mulaw, alaw };

// How the bytes of a client's sound are meant.
struct SoundFormat {
  SampleType type = SampleType::s16le;
  int rate = 16000;  // Hz, 4000 to 192000
  int channels = 1;  // interleaved

  friend bool operator==(const SoundFormat&, const SoundFormat&) = default;
};

// A session is one stream of mono sound with its turns. Most connections have the one with the
// number 0; one with several channels or speakers has more. Actions name theirs.

// Begins a session. It is to be the first action of its number; `options` holds what may not change
// later, as the task, with the server's own where the client sets none.
struct Open {
  int session = 0;
  std::string model{};  // empty: the server's default
  TranscribeOptions options{};
  LiveSettings settings{};
};

// Gives sound to a session; `channel` is taken of interleaved ones, -1 mixes them.
struct Sound {
  int session = 0;
  SoundFormat format{};
  std::string bytes{};
  int channel = -1;
};

// Gives the next bytes of a stream in a file format (WebM, Ogg, MP3 …), which tells its rate and
// channels itself. All audio of such a session comes so.
struct Encoded {
  int session = 0;
  std::string bytes{};
};

// Ends the turn at hand behind the sound that was given so far. The session answers with TurnEnded,
// also for a turn without words; where there is no sound since the last turn, it answers with one
// whose start_s equals its end_s.
struct Commit {
  int session = 0;
};

// Forgets the sound since the last turn. Turns that have ended are not touched.
struct Clear {
  int session = 0;
};

// Changes the settings from the sound on that is given next.
struct Configure {
  int session = 0;
  LiveSettings settings{};
};

// Makes the session a job: what is heard from here on is kept with its sound, also where the
// connection breaks. It may come before the session's Open; tell_kept() answers it.
struct Keep {
  int session = 0;
  std::string title{};          // for people; empty: none
  std::string model{};          // as in Open
  TranscribeOptions options{};  // likewise
};

// Ends the session's sound: its last turn ends, then tell_end() is called.
struct Finish {
  int session = 0;
};

// Sends a frame: a text frame of a WebSocket, or bytes of a stream.
struct Send {
  std::string bytes{};
  // Where the client reads slowly, of waiting frames with the same key only the newest is sent.
  std::string replaces{};
};

// Sends what waits, then closes the connection with this code of RFC 6455.
struct Close {
  std::uint16_t code = 1000;
  std::string reason{};
};

using Action =
    std::variant<Open, Sound, Encoded, Commit, Clear, Configure, Keep, Finish, Send, Close>;
using Actions = std::vector<Action>;

class Adapter {
 public:
  virtual ~Adapter() = default;

  // The connection is there.
  virtual Actions begin() { return {}; }

  // A text frame of a WebSocket.
  virtual Actions receive_text(std::string_view text) = 0;
  // A binary frame of a WebSocket, or the next bytes of a stream.
  virtual Actions receive_bytes(std::string_view bytes) = 0;

  // An event of a session, in order.
  virtual Actions tell(int session, const TranscriptEvent& event) = 0;
  // The session's sound has ended, and all its text was told.
  virtual Actions tell_end(int session) = 0;
  // A session has failed: the turn at hand is lost. Sound that is given to it after that begins it
  // anew, with the settings it had; its times and the numbers of its turns go on where they were.
  virtual Actions tell_failure(int session, const Error& error) = 0;

  // The bytes of a session's Encoded cannot be decoded, so its audio ends here. The adapter closes
  // the connection.
  virtual Actions tell_undecodable(int session, const Error& error) {
    return tell_failure(session, error);
  }

  // The session that was to be kept is the job of this id, or the reason why it is none, or why
  // nothing more is kept of it.
  virtual Actions tell_kept(int /*session*/, const Result<std::string>& /*job*/) { return {}; }

  // Time has passed, a second or more, with nothing from the client for `silent_s` in all.
  virtual Actions tick(double /*silent_s*/) { return {}; }

  // The server ends. What was said so far is finished first: each session gets its Finish by the
  // server, so there is nothing to do but to tell the client, if its protocol can.
  virtual Actions tell_shutdown() { return {}; }
  // The client's key may not have more sound. What was said so far is finished as above, and then
  // the connection is closed with 1008.
  virtual Actions tell_limit(const Error& /*error*/) { return {}; }
};

}  // namespace protocol::live
