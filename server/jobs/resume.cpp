#include "server/jobs/resume.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace server {
namespace {

// More than the prompt's 223 tokens hold in any language that Whisper knows.
constexpr std::size_t max_prompt_bytes = 2000;

// The clips, or parts of them, that lie behind `from`.
std::vector<double> clips_behind(const std::vector<double>& clips, double from) {
  if (clips.empty()) return {from};
  std::vector<double> left;
  for (std::size_t i = 0; i < clips.size(); i += 2) {
    const bool is_open = i + 1 == clips.size();
    if (!is_open && clips[i + 1] <= from) continue;
    left.push_back(std::max(clips[i], from));
    if (!is_open) left.push_back(clips[i + 1]);
  }
  // Nothing is left; without any clip everything would be.
  return left.empty() ? std::vector<double>{from, from} : left;
}

std::string last_text(std::span<const protocol::Segment> decided) {
  std::string text;
  for (auto it = decided.rbegin(); it != decided.rend() && text.size() < max_prompt_bytes; ++it) {
    text.insert(0, it->text);
  }
  return text;
}

}  // namespace

protocol::TranscribeOptions resumed(protocol::TranscribeOptions options,
                                    std::span<const protocol::Segment> decided,
                                    const std::string& language) {
  if (options.language.empty()) options.language = language;
  if (decided.empty()) return options;
  options.clip_timestamps = clips_behind(options.clip_timestamps, decided.back().end);
  const bool carries = options.carry_initial_prompt && !options.initial_prompt.empty();
  // Windows that are decoded in parallel never had the text before them.
  if (!carries && options.long_form != "parallel") {
    options.initial_prompt = options.condition_on_previous_text ? last_text(decided) : "";
  }
  return options;
}

}  // namespace server
