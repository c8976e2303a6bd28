#include "server/config/live_rows.h"

namespace server {

std::vector<Setting> live_rows() {
  return {
      {.key = "live.enabled",
       .place = [](Config& c) -> Place { return &c.live.enabled; },
       .help = "Transcribe sound while people speak, by the interfaces below."},
      {.key = "live.model",
       .place = [](Config& c) -> Place { return &c.live.model; },
       .help = "Model for live sound where a client names none that is installed; empty: "
               "model.default."},
      {.key = "live.max_sessions",
       .place = [](Config& c) -> Place { return &c.live.max_sessions; },
       .help = "Live sessions at once. Fewer are taken where the model is too slow for more.",
       .min = 1,
       .max = 256},
      {.key = "live.max_sessions_of_one_key",
       .place = [](Config& c) -> Place { return &c.live.max_sessions_of_one_key; },
       .help =
           "Live sessions at once of one key, which has at most half of all, or of everybody where "
           "no key is asked for.",
       .min = 1,
       .max = 256},
      {.key = "live.max_session_hours",
       .place = [](Config& c) -> Place { return &c.live.max_session_hours; },
       .help = "Longest connection of a live client, in hours.",
       .min = 1,
       .max = 168},
      {.key = "live.second_look",
       .place = [](Config& c) -> Place { return &c.live.second_look; },
       .help = "Decode what was said between two silences once more at its end, as a whole: its "
               "text is better, and comes later."},
      {.key = "live.realtime",
       .place = [](Config& c) -> Place { return &c.live.realtime; },
       .help = "Offer OpenAI's Realtime API for transcription, /v1/realtime."},
      {.key = "live.deepgram",
       .place = [](Config& c) -> Place { return &c.live.deepgram; },
       .help = "Offer Deepgram's API, /v1/listen."},
      {.key = "live.jigasi",
       .place = [](Config& c) -> Place { return &c.live.jigasi; },
       .help = "Offer what Jitsi Meet's Jigasi transcribes with, /streaming-whisper/ws."},
      {.key = "live.asr",
       .place = [](Config& c) -> Place { return &c.live.asr; },
       .help = "Offer whisper-asr-webservice's API, /asr and /detect-language."},
      {.key = "live.whisper_cpp",
       .place = [](Config& c) -> Place { return &c.live.whisper_cpp; },
       .help = "Offer the API of whisper.cpp's server, /inference and /load."},
      {.key = "live.wyoming_listen",
       .place = [](Config& c) -> Place { return &c.live.wyoming_listen; },
       .help = "Where to listen for Wyoming, which Home Assistant speaks: 127.0.0.1:10300. It has "
               "no keys: whoever reaches the address can use it. Empty: nowhere."},
      {.key = "live.wyoming_external_vad",
       .place = [](Config& c) -> Place { return &c.live.wyoming_external_vad; },
       .help = "Clients of Wyoming find the end of a command, as Home Assistant does; false: "
               "scribed does, by the silence behind it."},
  };
}

}  // namespace server
