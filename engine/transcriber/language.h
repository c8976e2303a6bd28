#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/audio/mel_spool.h"
#include "engine/runner/runner.h"
#include "engine/transcriber/speech.h"
#include "engine/transcriber/transcription_options.h"

namespace engine {

struct DetectedLanguage {
  std::string code;
  double probability = 0;
};

// The likeliest language of a window, by one step on the sot token. Multilingual models only, as
// everywhere below. openai/whisper decoding.py `detect_language`.
//   allowed: the codes it chooses among; empty: every language of the model
Result<DetectedLanguage> detect_language(Runner& runner, const Tokenizer& tokenizer,
                                         const EncodedWindow& window,
                                         std::span<const std::string> allowed = {});

// The language of a recording: of the first of its windows that is sure, or else the likeliest in
// the mean of them all. faster-whisper transcribe.py `detect_language`, but for the mean.
//   windows: at least one, of 30 s at most
Result<DetectedLanguage> detect_language(Runner& runner, const Tokenizer& tokenizer,
                                         const MelSpool& spool, std::span<const Clip> windows,
                                         const TranscriptionOptions& options);

// The first windows of 30 s, at most `most`. With `speech` those that hold some; the first where
// none does. As openai/whisper does, the last one hears the silence behind the recording's end,
// too.
std::vector<Clip> detection_windows(std::int64_t content_frames, int most, const Speech* speech);

// The probabilities of all languages in the order of their tokens: the softmax over the allowed
// ones. Fails with non_finite_logits.
//   logits  [n_vocab] after a lone sot token
Result<std::vector<double>> language_probabilities(const at::Tensor& logits,
                                                   const Tokenizer& tokenizer,
                                                   std::span<const std::string> allowed);

}  // namespace engine
