#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "protocol/known_speaker.h"

namespace protocol {

enum class Task { transcribe, translate };  // keeps the language, or translates into English

// The order in which a recording is decoded: each window after the previous one and with its text
// as the prompt, or windows that are cut in silences, several at once and independent of each
// other.
enum class LongForm { automatic, sequential, parallel };

// The text that is taken if a window fails at every temperature: the best, or the last, as in
// openai/whisper.
enum class Fallback { best, openai };

// How much of its 30 seconds the encoder computes for a window that has less audio: all, or the
// audio and few positions of the padding after it. `automatic` is short for models that were
// measured to make as few errors so: base in int8, on a CPU.
enum class EncoderWindow { automatic, full, shortened };

// How subtitles are laid out: as openai/whisper does (the default, or by its name), or as these
// broadcasters ask. protocol/subtitles has their rules.
enum class SubtitleStyle { standard, netflix, bbc, whisper };

// The options of a transcription. Names and defaults are those of openai/whisper's command line, if
// it has them; an unset optional turns that rule off. option_table.h has each option's limits and
// the interfaces that offer it.
struct TranscribeOptions {
  std::string language{};                     // empty: detect it
  std::vector<std::string> languages{};       // detection chooses among these codes; empty: all
  int language_detection_segments = 4;        // at most this many windows of 30 s
  double language_detection_threshold = 0.5;  // a window above it decides alone
  // If detection is unsure of a recording of at most 30 s, it is decoded in this many of the
  // likeliest languages, and the text decides, too. 1: openai/whisper's detection.
  int language_detection_candidates = 3;
  bool language_only = false;  // the likeliest languages are wanted, and no text
  bool multilingual = false;   // each window has a language of its own, if detection is sure of it
  Task task = Task::transcribe;
  std::vector<double> temperatures{0, 0.2, 0.4, 0.6, 0.8, 1};  // tried in order until one succeeds
  int beam_size = 5;  // at temperature 0; 0 and 1 are greedy
  int best_of = 5;    // samples at other temperatures
  double patience = 1;
  std::optional<double> length_penalty{};
  std::string suppress_tokens = "-1";  // comma-separated ids; -1 stands for the non-speech symbols
  bool suppress_blank = true;
  double repetition_penalty = 1;  // for text tokens that the window already has; 1: none
  int no_repeat_ngram_size = 0;   // a sequence of this length occurs once in a window; 0: no rule
  std::string initial_prompt{};
  bool carry_initial_prompt = false;
  std::string hotwords{};
  std::string prefix{};
  bool condition_on_previous_text = true;
  std::optional<double> compression_ratio_threshold = 2.4;
  std::optional<double> logprob_threshold = -1.0;
  std::optional<double> no_speech_threshold = 0.6;
  bool loop_detection = true;  // a window whose text ends in a loop fails
  Fallback fallback = Fallback::best;
  EncoderWindow encoder_window = EncoderWindow::automatic;
  std::vector<double> clip_timestamps{};  // seconds: start, end, start, end …; empty: everything
  bool without_timestamps = false;
  std::optional<double> max_initial_timestamp = 1.0;
  std::optional<int> sample_len{};  // most tokens per window; unset: half of the text context
  std::uint64_t seed = 0;
  bool word_timestamps = false;
  // Punctuation marks that belong to the word after them, and to the word before them.
  std::string prepend_punctuations = "\"'“¿([{-";
  std::string append_punctuations = "\"'.。,，!！?？:：”)]}、";
  std::optional<double> hallucination_silence_threshold{};  // seconds; only with word_timestamps
  SubtitleStyle subtitle_style = SubtitleStyle::standard;   // a broadcaster's needs words' times
  bool token_logprobs = false;               // segments tell the log probabilities of their tokens
  LongForm long_form = LongForm::automatic;  // sequential unless a caller decides
  bool vad_filter = false;                   // no text where Silero VAD finds no speech
  // Tells the speakers apart: segments name theirs, and begin anew where another one speaks. The
  // number of speakers is found unless it, or its limits, are given.
  bool diarize = false;
  std::optional<int> num_speakers{};
  std::optional<int> min_speakers{};
  std::optional<int> max_speakers{};
  std::vector<KnownSpeaker> known_speakers{};  // who is heard among them has the given name
  // Transcribes while the sound comes in, and decodes anew after this many seconds of it; unset:
  // transcribes the complete recording.
  std::optional<double> live_chunk{};
  // How far a word has to be from the end of the sound to be sure, in frames of 20 ms; 0: two looks
  // have to agree on it. Unset: what suits the model.
  std::optional<int> live_margin{};

  friend bool operator==(const TranscribeOptions&, const TranscribeOptions&) = default;
};

}  // namespace protocol
