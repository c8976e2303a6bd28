#include "server/jobs/resume.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "protocol/worker_contract.h"

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
  // Windows that are decoded in parallel never had the text before them as their prompt. Before the
  // first text the prompt is that of the whole.
  const bool has_text_before = options.long_form != protocol::LongForm::parallel;
  if (!carries && has_text_before && !decided.empty()) {
    options.initial_prompt = options.condition_on_previous_text ? last_text(decided) : "";
  }
  return options;
}

}  // namespace

protocol::TranscribeOptions resumed(protocol::TranscribeOptions options,
                                    std::span<const protocol::Segment> decided, double position,
                                    const std::string& language) {
  // Detection alone has to be done again, because its probabilities are wanted.
  if (options.language.empty() && !options.language_only) options.language = language;
  const double from = decided.empty() ? position : std::max(position, decided.back().end);
  if (from <= 0) return options;
  return rest_of(std::move(options), from, decided);
}

protocol::TranscribeOptions resumed_channel(protocol::TranscribeOptions options,
                                            std::span<const protocol::Segment> decided,
                                            double position, int channel) {
  std::vector<protocol::Segment> own;
  std::ranges::copy_if(decided, std::back_inserter(own),
                       [channel](const auto& segment) { return segment.channel == channel; });
  const double own_end = own.empty() ? 0 : own.back().end;
  const double last_start = decided.empty() ? 0 : decided.back().start;
  const double from = std::max({own_end, last_start, position - protocol::worker::window_s});
  if (decided.empty() && from <= 0) return options;
  return rest_of(std::move(options), from, own);
}

}  // namespace server
