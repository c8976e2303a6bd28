#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/whisper/runner/runner.h"
#include "engine/whisper/transcriber/speech.h"
#include "engine/whisper/transcriber/transcription_options.h"
#include "engine/whisper/transcriber/window_encoder.h"
#include "protocol/transcript_event.h"

namespace engine {

// Returns the likeliest language of a window, by one step on the sot token. This and all below are
// for multilingual models only. openai/whisper decoding.py `detect_language`.
//   allowed: the codes it chooses among; empty: every language of the model
Result<protocol::LanguageDetected> detect_language(Runner& runner, const Tokenizer& tokenizer,
                                                   const EncodedWindow& window,
                                                   std::span<const std::string> allowed = {});

// The languages that detection hears in a recording.
struct HeardLanguages {
  // The best comes first, and there are as many as the options want candidates.
  std::vector<protocol::LanguageDetected> likeliest;
  double no_speech_prob = 0;  // of the window that was heard last
};

// Returns the likeliest languages: those of the first of the windows that is sure, or else those in
// the mean of them all. faster-whisper transcribe.py `detect_language`, but for the mean.
//   windows: at least one, of 30 s at most
Result<HeardLanguages> detect_languages(Runner& runner, const Tokenizer& tokenizer,
                                        WindowEncoder& encoder, std::span<const Clip> windows,
                                        const TranscriptionOptions& options);

// Returns the first windows of 30 s that the options want detection to hear. They begin where
// somebody may speak first, or with the content where that is in its first 15 s: so the window
// that is decoded first is encoded once. With `speech` they are those that hold some. The last one
// ends with the recording, as it does when it is decoded; with one candidate it hears the silence
// behind the end, too, as openai/whisper does.
//   content: from where decoding begins to the recording's end
//   first_spoken: the frame where somebody may speak first
std::vector<Clip> detection_windows(const Clip& content, const TranscriptionOptions& options,
                                    const Speech* speech, std::int64_t first_spoken = 0);

// Returns the probabilities of all languages in the order of their tokens: the softmax over the
// allowed ones. Fails with non_finite_logits.
//   logits  [n_vocab] after a lone sot token
Result<std::vector<double>> language_probabilities(std::span<const float> logits,
                                                   const Tokenizer& tokenizer,
                                                   std::span<const std::string> allowed);

}  // namespace engine
