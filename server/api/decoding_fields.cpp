#include "server/api/decoding_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "server/transcription/text_limits.h"

namespace server {
namespace {

using protocol::TranscribeOptions;

constexpr double longest_silence_s = 3600;
constexpr double most_tokens = 448;  // of Whisper's text context
constexpr double most_candidates = 5;

// Nothing: it is no number, or not one of these.
std::optional<double> number_within(const std::string& text, double least, double most) {
  const auto value = number_of(text);
  return value && *value >= least && *value <= most ? value : std::nullopt;
}

FormProblem read_vad_filter(TranscribeOptions& options, const std::string& value) {
  return read_flag("vad_filter", value, options.vad_filter);
}

FormProblem read_loop_detection(TranscribeOptions& options, const std::string& value) {
  return read_flag("loop_detection", value, options.loop_detection);
}

FormProblem read_fallback(TranscribeOptions& options, const std::string& value) {
  if (value != "best" && value != "openai") {
    return invalid("fallback", "The fallback must be best or openai.");
  }
  options.fallback = value;
  return {};
}

FormProblem read_language_detection_candidates(TranscribeOptions& options,
                                               const std::string& value) {
  const auto count = number_within(value, 1, most_candidates);
  if (!count || *count != std::floor(*count)) {
    return invalid("language_detection_candidates",
                   fmt::format("The language_detection_candidates must be a whole number from 1 "
                               "to {}.",
                               most_candidates));
  }
  options.language_detection_candidates = static_cast<int>(*count);
  return {};
}

FormProblem read_repetition_penalty(TranscribeOptions& options, const std::string& value) {
  const auto penalty = number_within(value, 0.01, 100);
  if (!penalty) {
    return invalid("repetition_penalty",
                   "The repetition_penalty must be a number from 0.01 to 100.",
                   "1 is none; little above 1 is enough.");
  }
  options.repetition_penalty = *penalty;
  return {};
}

FormProblem read_no_repeat_ngram_size(TranscribeOptions& options, const std::string& value) {
  const auto size = number_within(value, 0, most_tokens);
  if (!size || *size != std::floor(*size)) {
    return invalid(
        "no_repeat_ngram_size",
        fmt::format("The no_repeat_ngram_size must be a whole number from 0 to {}.", most_tokens),
        "0 is no rule.");
  }
  options.no_repeat_ngram_size = static_cast<int>(*size);
  return {};
}

// The rule compares the times of words, so they are found for it also where nobody asked.
FormProblem read_silence_threshold(TranscribeOptions& options, const std::string& value) {
  const auto seconds = number_within(value, 0, longest_silence_s);
  if (!seconds) {
    return invalid("hallucination_silence_threshold",
                   fmt::format("The hallucination_silence_threshold must be seconds, from 0 to {}.",
                               longest_silence_s));
  }
  options.hallucination_silence_threshold = *seconds;
  options.word_timestamps = true;
  return {};
}

// Which ids there are depends on the model, whose worker checks that.
FormProblem read_suppress_tokens(TranscribeOptions& options, const std::string& value) {
  const bool is_list = std::ranges::all_of(
      value, [](char c) { return (c >= '0' && c <= '9') || c == '-' || c == ','; });
  if (!is_list) {
    return invalid("suppress_tokens", "The suppress_tokens must be ids with commas between them.",
                   "-1 stands for the symbols that nobody says: -1,50256.");
  }
  return read_text("suppress_tokens", value, options.suppress_tokens, max_text_bytes);
}

FormProblem read_prefix(TranscribeOptions& options, const std::string& value) {
  return read_text("prefix", value, options.prefix, max_text_bytes);
}

struct Row {
  std::string_view name;
  ReadDecodingField read;
};

constexpr std::array table{
    Row{"vad_filter", read_vad_filter},
    Row{"loop_detection", read_loop_detection},
    Row{"fallback", read_fallback},
    Row{"language_detection_candidates", read_language_detection_candidates},
    Row{"repetition_penalty", read_repetition_penalty},
    Row{"no_repeat_ngram_size", read_no_repeat_ngram_size},
    Row{"hallucination_silence_threshold", read_silence_threshold},
    Row{"suppress_tokens", read_suppress_tokens},
    Row{"prefix", read_prefix},
};

}  // namespace

ReadDecodingField find_decoding_field(std::string_view name) {
  const auto row = std::ranges::find(table, name, &Row::name);
  return row == table.end() ? nullptr : row->read;
}

}  // namespace server
