#pragma once

#include "protocol/live_events.h"
#include "protocol/live_options.h"
#include "protocol/transcript_fields.h"

// This table has the names of a live session's options and events on the wire.
namespace protocol::json {

template <>
inline constexpr auto fields<TurnDetection> =
    std::tuple{Field{"threshold", &TurnDetection::threshold},
               Field{"prefix_padding_ms", &TurnDetection::prefix_padding_ms},
               Field{"silence_duration_ms", &TurnDetection::silence_duration_ms},
               Field{"unfinished_silence_ms", &TurnDetection::unfinished_silence_ms},
               Field{"min_speech_duration_ms", &TurnDetection::min_speech_duration_ms}};

template <>
inline constexpr auto fields<LiveOptions> =
    std::tuple{Field{"turn_detection", &LiveOptions::turn_detection},
               Field{"second_look", &LiveOptions::second_look}};

template <>
inline constexpr auto fields<LiveSettings> =
    std::tuple{Field{"live", &LiveSettings::live}, Field{"language", &LiveSettings::language},
               Field{"initial_prompt", &LiveSettings::initial_prompt},
               Field{"hotwords", &LiveSettings::hotwords}};

template <>
inline constexpr const char* type_name<SpeechStarted> = "speech_started";
template <>
inline constexpr auto fields<SpeechStarted> =
    std::tuple{Field{"turn", &SpeechStarted::turn}, Field{"start_s", &SpeechStarted::start_s}};

template <>
inline constexpr const char* type_name<SpeechStopped> = "speech_stopped";
template <>
inline constexpr auto fields<SpeechStopped> =
    std::tuple{Field{"turn", &SpeechStopped::turn}, Field{"end_s", &SpeechStopped::end_s}};

template <>
inline constexpr const char* type_name<LiveWords> = "words";
template <>
inline constexpr auto fields<LiveWords> =
    std::tuple{Field{"turn", &LiveWords::turn}, Field{"words", &LiveWords::words}};

template <>
inline constexpr std::array names<TurnCause> = {"silence", "client", "limit", "end"};

template <>
inline constexpr const char* type_name<TurnEnded> = "turn";
template <>
inline constexpr auto fields<TurnEnded> = std::tuple{Field{"turn", &TurnEnded::turn},
                                                     Field{"start_s", &TurnEnded::start_s},
                                                     Field{"end_s", &TurnEnded::end_s},
                                                     Field{"text", &TurnEnded::text},
                                                     Field{"words", &TurnEnded::words},
                                                     Field{"language", &TurnEnded::language},
                                                     Field{"avg_logprob", &TurnEnded::avg_logprob},
                                                     Field{"speaker", &TurnEnded::speaker},
                                                     Field{"cause", &TurnEnded::cause}};

}  // namespace protocol::json
