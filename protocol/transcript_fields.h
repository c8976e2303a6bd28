#pragma once

#include "protocol/json_fields.h"
#include "protocol/transcript.h"

// Names and order of these fields are those of openai/whisper, if it has the field.
namespace protocol::json {

template <>
inline constexpr auto fields<Word> =
    std::tuple{Field{"word", &Word::word}, Field{"start", &Word::start}, Field{"end", &Word::end},
               Field{"probability", &Word::probability}, Field{"text_tokens", &Word::text_tokens}};

template <>
inline constexpr auto fields<TokenLogprob> =
    std::tuple{Field{"bytes", &TokenLogprob::bytes}, Field{"logprob", &TokenLogprob::logprob}};

template <>
inline constexpr std::array names<WindowKind> = {"full", "short", "checked"};

template <>
inline constexpr auto fields<WindowCounts> =
    std::tuple{Field{"full", &WindowCounts::full}, Field{"short", &WindowCounts::shortened},
               Field{"checked", &WindowCounts::checked}};

template <>
inline constexpr auto fields<Segment> = std::tuple{
    Field{"id", &Segment::id},
    Field{"seek", &Segment::seek},
    Field{"start", &Segment::start},
    Field{"end", &Segment::end},
    Field{"text", &Segment::text},
    Field{"tokens", &Segment::tokens},
    Field{"temperature", &Segment::temperature},
    Field{"avg_logprob", &Segment::avg_logprob},
    Field{"compression_ratio", &Segment::compression_ratio},
    Field{"no_speech_prob", &Segment::no_speech_prob},
    Field{"language", &Segment::language},
    Field{"words", &Segment::words},
    Field{"channel", &Segment::channel},
    Field{"speaker", &Segment::speaker},
    Field{"token_logprobs", &Segment::token_logprobs},
    Field{"encoder_window", &Segment::encoder_window},
};

template <>
inline constexpr auto fields<LiveText> =
    std::tuple{Field{"heard_s", &LiveText::heard_s}, Field{"text", &LiveText::text},
               Field{"tail", &LiveText::tail}};

template <>
inline constexpr auto fields<Timings> =
    std::tuple{Field{"load_s", &Timings::load_s}, Field{"decode_s", &Timings::decode_s},
               Field{"transcribe_s", &Timings::transcribe_s}, Field{"total_s", &Timings::total_s}};

template <>
inline constexpr auto fields<DeviceFallback> =
    std::tuple{Field{"wanted", &DeviceFallback::wanted}, Field{"code", &DeviceFallback::code},
               Field{"headline", &DeviceFallback::headline}};

template <>
inline constexpr auto fields<LanguageDetected> =
    std::tuple{Field{"language", &LanguageDetected::language},
               Field{"probability", &LanguageDetected::probability}};

template <>
inline constexpr auto fields<SpeakerTurn> =
    std::tuple{Field{"start", &SpeakerTurn::start}, Field{"end", &SpeakerTurn::end},
               Field{"speaker", &SpeakerTurn::speaker}, Field{"channel", &SpeakerTurn::channel}};

template <>
inline constexpr auto fields<Transcript> = std::tuple{
    Field{"text", &Transcript::text},
    Field{"segments", &Transcript::segments},
    Field{"language", &Transcript::language},
    Field{"languages", &Transcript::languages},
    Field{"turns", &Transcript::turns},
    Field{"duration", &Transcript::duration},
    Field{"model", &Transcript::model},
    Field{"device", &Transcript::device},
    Field{"device_reason", &Transcript::device_reason},
    Field{"fallback", &Transcript::fallback},
    Field{"compute_type", &Transcript::compute_type},
    Field{"task", &Transcript::task},
    Field{"timings", &Transcript::timings},
    Field{"windows", &Transcript::windows},
    Field{"warnings", &Transcript::warnings},
};

}  // namespace protocol::json
