#pragma once

#include "protocol/live_fields.h"
#include "protocol/transcript_event.h"
#include "protocol/transcript_fields.h"

// This table has the names of events and of their fields on the wire.
namespace protocol::json {

template <>
inline constexpr const char* type_name<decoder::Format> = "format";
template <>
inline constexpr auto fields<decoder::Format> = std::tuple{
    Field{"container", &decoder::Format::container},
    Field{"codec", &decoder::Format::codec},
    Field{"sample_rate", &decoder::Format::sample_rate},
    Field{"channels", &decoder::Format::channels},
    Field{"duration_s", &decoder::Format::duration_s},
    Field{"tracks", &decoder::Format::tracks},
};

template <>
inline constexpr const char* type_name<ModelLoading> = "model_loading";

template <>
inline constexpr const char* type_name<ModelLoaded> = "model_loaded";
template <>
inline constexpr auto fields<ModelLoaded> = std::tuple{
    Field{"device", &ModelLoaded::device}, Field{"compute_type", &ModelLoaded::compute_type},
    Field{"notes", &ModelLoaded::notes}};

template <>
inline constexpr const char* type_name<LanguageDetected> = "language";
template <>
inline constexpr const char* type_name<LikeliestLanguages> = "languages";
template <>
inline constexpr auto fields<LikeliestLanguages> =
    std::tuple{Field{"languages", &LikeliestLanguages::languages}};

template <>
inline constexpr const char* type_name<SpeakersFound> = "speakers";
template <>
inline constexpr auto fields<SpeakersFound> = std::tuple{
    Field{"turns", &SpeakersFound::turns}, Field{"exclusive", &SpeakersFound::exclusive}};

template <>
inline constexpr std::array names<ProgressPhase> = {"listening", "transcribing", "diarizing"};

template <>
inline constexpr const char* type_name<Progress> = "progress";
template <>
inline constexpr auto fields<Progress> =
    std::tuple{Field{"position_s", &Progress::position_s},
               Field{"duration_s", &Progress::duration_s}, Field{"phase", &Progress::phase}};

template <>
inline constexpr const char* type_name<Segment> = "segment";

template <>
inline constexpr const char* type_name<LiveText> = "partial";

}  // namespace protocol::json
