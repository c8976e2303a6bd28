#include "engine/whisper/transcriber/option_warnings.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "engine/whisper/transcriber/window_options.h"

namespace engine {
namespace {

// One digit behind the point.
std::string seconds_text(double seconds) {
  const auto tenths = static_cast<long long>(std::llround(seconds * 10));
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s";
}

void warn_of_length(std::vector<std::string>& warnings, const std::string& what,
                    const std::string& kept, std::size_t tokens, std::size_t max_tokens) {
  if (tokens <= max_tokens) return;
  warnings.push_back(what + " has " + std::to_string(tokens) + " tokens, and the model reads " +
                     std::to_string(max_tokens) + " at most: only its " + kept + " counts.");
}

void warn_of_clips(std::vector<std::string>& warnings, std::span<const double> points,
                   double duration_s) {
  for (std::size_t i = 0; i < points.size(); i += 2) {
    if (points[i] < duration_s) continue;
    warnings.push_back("Clip " + std::to_string(i / 2 + 1) + " begins at " +
                       seconds_text(points[i]) + ", and the recording ends at " +
                       seconds_text(duration_s) + ": it has no text.");
  }
}

}  // namespace

std::vector<std::string> option_warnings(const TranscriptionOptions& options,
                                         const Tokenizer& tokenizer, std::size_t max_tokens,
                                         std::optional<double> duration_s) {
  std::vector<std::string> warnings;
  const std::size_t prompt = encode_prompt(tokenizer, options.initial_prompt).size();
  const std::size_t hotwords = encode_prompt(tokenizer, options.hotwords).size();
  warn_of_length(warnings, "The initial prompt", "end", prompt, max_tokens);
  const std::size_t carried = options.carry_initial_prompt ? std::min(prompt, max_tokens) : 0;
  if (hotwords > 0 && carried == max_tokens) {
    warnings.emplace_back(
        "The hotwords have no effect: the initial prompt, which every window "
        "gets, fills all that the model reads.");
  } else {
    warn_of_length(warnings, "The list of hotwords", "beginning", hotwords, max_tokens - carried);
  }
  if (duration_s) warn_of_clips(warnings, options.clip_timestamps, *duration_s);
  return warnings;
}

}  // namespace engine
