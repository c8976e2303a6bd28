#pragma once

namespace server {

// The interfaces of other programs beside OpenAI's, each of which can be switched off: its routes
// are then not there.
struct Doors {
  bool asr = true;        // whisper-asr-webservice: /asr and /detect-language
  bool inference = true;  // whisper.cpp's server: /inference and /load
};

}  // namespace server
