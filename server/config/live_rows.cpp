#include "server/config/live_rows.h"

namespace server {

std::vector<Setting> live_rows() {
  return {
      {.key = "live.enabled",
       .place = [](Config& c) -> Place { return &c.live.enabled; },
       .help = "Offer live transcription by the interfaces below."},
      {.key = "live.model",
       .place = [](Config& c) -> Place { return &c.live.model; },
       .help = "Model for live sessions that name no installed model; empty: model.default."},
      {.key = "live.max_sessions",
       .place = [](Config& c) -> Place { return &c.live.max_sessions; },
       .help = "Maximum number of live sessions. Fewer are accepted if the model is too slow.",
       .min = 1,
       .max = 256},
      {.key = "live.max_sessions_of_one_key",
       .place = [](Config& c) -> Place { return &c.live.max_sessions_of_one_key; },
       .help = "Maximum number of live sessions per key, at most half of all; without keys, of all "
               "clients together.",
       .min = 1,
       .max = 256},
      {.key = "live.max_session_hours",
       .place = [](Config& c) -> Place { return &c.live.max_session_hours; },
       .help = "Maximum duration of a live connection, in hours.",
       .min = 1,
       .max = 168},
      {.key = "live.second_look",
       .place = [](Config& c) -> Place { return &c.live.second_look; },
       .help =
           "Decode each speech turn again as a whole when it ends: fewer errors, higher latency."},
      {.key = "live.realtime",
       .place = [](Config& c) -> Place { return &c.live.realtime; },
       .help = "Offer OpenAI's Realtime API for transcription, /v1/realtime."},
      {.key = "live.deepgram",
       .place = [](Config& c) -> Place { return &c.live.deepgram; },
       .help = "Offer Deepgram's API, /v1/listen."},
      {.key = "live.jigasi",
       .place = [](Config& c) -> Place { return &c.live.jigasi; },
       .help = "Offer the API of Jitsi Meet's Jigasi, /streaming-whisper/ws."},
      {.key = "live.asr",
       .place = [](Config& c) -> Place { return &c.live.asr; },
       .help = "Offer whisper-asr-webservice's API, /asr and /detect-language."},
      {.key = "live.whisper_cpp",
       .place = [](Config& c) -> Place { return &c.live.whisper_cpp; },
       .help = "Offer the API of whisper.cpp's server, /inference and /load."},
      {.key = "live.wyoming_listen",
       .place = [](Config& c) -> Place { return &c.live.wyoming_listen; },
       .help = "Address for the Wyoming protocol (Home Assistant): 127.0.0.1:10300. Wyoming has no "
               "keys: every client that can reach the address can use it. Empty: off."},
      {.key = "live.wyoming_external_vad",
       .place = [](Config& c) -> Place { return &c.live.wyoming_external_vad; },
       .help = "Wyoming clients detect the end of a command, as Home Assistant does; false: "
               "scribed does, by silence."},
  };
}

}  // namespace server
