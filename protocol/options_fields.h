#pragma once

#include "protocol/json_fields.h"
#include "protocol/transcribe_options.h"

namespace protocol::json {

using Options = TranscribeOptions;

template <>
inline constexpr auto fields<Options> = std::tuple{
    Field{"language", &Options::language},
    Field{"languages", &Options::languages},
    Field{"language_detection_segments", &Options::language_detection_segments},
    Field{"language_detection_threshold", &Options::language_detection_threshold},
    Field{"language_detection_candidates", &Options::language_detection_candidates},
    Field{"multilingual", &Options::multilingual},
    Field{"task", &Options::task},
    Field{"temperatures", &Options::temperatures},
    Field{"beam_size", &Options::beam_size},
    Field{"best_of", &Options::best_of},
    Field{"patience", &Options::patience},
    Field{"length_penalty", &Options::length_penalty},
    Field{"suppress_tokens", &Options::suppress_tokens},
    Field{"suppress_blank", &Options::suppress_blank},
    Field{"repetition_penalty", &Options::repetition_penalty},
    Field{"no_repeat_ngram_size", &Options::no_repeat_ngram_size},
    Field{"initial_prompt", &Options::initial_prompt},
    Field{"carry_initial_prompt", &Options::carry_initial_prompt},
    Field{"hotwords", &Options::hotwords},
    Field{"prefix", &Options::prefix},
    Field{"condition_on_previous_text", &Options::condition_on_previous_text},
    Field{"compression_ratio_threshold", &Options::compression_ratio_threshold},
    Field{"logprob_threshold", &Options::logprob_threshold},
    Field{"no_speech_threshold", &Options::no_speech_threshold},
    Field{"loop_detection", &Options::loop_detection},
    Field{"fallback", &Options::fallback},
    Field{"clip_timestamps", &Options::clip_timestamps},
    Field{"without_timestamps", &Options::without_timestamps},
    Field{"max_initial_timestamp", &Options::max_initial_timestamp},
    Field{"sample_len", &Options::sample_len},
    Field{"seed", &Options::seed},
    Field{"word_timestamps", &Options::word_timestamps},
    Field{"prepend_punctuations", &Options::prepend_punctuations},
    Field{"append_punctuations", &Options::append_punctuations},
    Field{"hallucination_silence_threshold", &Options::hallucination_silence_threshold},
    Field{"long_form", &Options::long_form},
    Field{"vad_filter", &Options::vad_filter},
    Field{"live_chunk", &Options::live_chunk},
};

}  // namespace protocol::json
