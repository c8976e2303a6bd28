#pragma once

namespace server {

// The interfaces of other programs beside OpenAI's audio API, each of which can be switched off:
// its routes are then not there.
struct Doors {
  bool realtime = true;   // OpenAI's Realtime API: /v1/realtime and what is below it
  bool asr = true;        // whisper-asr-webservice: /asr and /detect-language
  bool inference = true;  // whisper.cpp's server: /inference and /load
  bool deepgram = true;   // Deepgram's API: /v1/listen
  bool jigasi = true;     // what Jitsi Meet's Jigasi transcribes with: /streaming-whisper/ws
};

}  // namespace server
