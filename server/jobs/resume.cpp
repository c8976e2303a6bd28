#include "server/jobs/resume.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace server {
namespace {

// This many bytes are more than the prompt's 223 tokens hold in any language that Whisper knows.
constexpr std::size_t max_prompt_bytes = 2000;

// Returns the clips, or parts of them, that lie behind `from`.
std::vector<double> clips_behind(const std::vector<double>& clips, double from) {
  if (clips.empty()) return {from};
  std::vector<double> left;
  for (std::size_t i = 0; i < clips.size(); i += 2) {
    const bool is_open = i + 1 == clips.size();
    if (!is_open && clips[i + 1] <= from) continue;
    left.push_back(std::max(clips[i], from));
    if (!is_open) left.push_back(clips[i + 1]);
  }
  // No clip is left; an empty list would mean the whole recording.
  return left.empty() ? std::vector<double>{from, from} : left;
}

std::string last_text(std::span<const protocol::Segment> decided) {
  std::string text;
  for (auto it = decided.rbegin(); it != decided.rend() && text.size() < max_prompt_bytes; ++it) {
    text.insert(0, it->text);
  }
  return text;
}

// Returns the options for the rest behind `from`, when `decided` was said before.
protocol::TranscribeOptions rest_of(protocol::TranscribeOptions options, double from,
                                    std::span<const protocol::Segment> decided) {
  options.clip_timestamps = clips_behind(options.clip_timestamps, from);
  const bool carries = options.carry_initial_prompt && !options.initial_prompt.empty();
  // Windows that are decoded in parallel never had the text before them as their prompt.
  if (!carries && options.long_form != protocol::LongForm::parallel) {
    options.initial_prompt = options.condition_on_previous_text ? last_text(decided) : "";
  }
  return options;
}

}  // namespace

protocol::TranscribeOptions resumed(protocol::TranscribeOptions options,
                                    std::span<const protocol::Segment> decided,
                                    const std::string& language) {
  // Detection alone has to be done again, because its probabilities are wanted.
  if (options.language.empty() && !options.language_only) options.language = language;
  if (decided.empty()) return options;
  return rest_of(std::move(options), decided.back().end, decided);
}

protocol::TranscribeOptions resumed_channel(protocol::TranscribeOptions options,
                                            std::span<const protocol::Segment> decided,
                                            int channel) {
  if (decided.empty()) return options;
  std::vector<protocol::Segment> own;
  std::ranges::copy_if(decided, std::back_inserter(own),
                       [channel](const auto& segment) { return segment.channel == channel; });
  const double own_end = own.empty() ? 0 : own.back().end;
  return rest_of(std::move(options), std::max(own_end, decided.back().start), own);
}

}  // namespace server
