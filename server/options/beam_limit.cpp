#include "server/options/beam_limit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace server {
namespace {

// Returns how many sequences have to end before a search does.
double waited_for(const protocol::TranscribeOptions& options) {
  return options.beam_size > 1 ? std::nearbyint(options.beam_size * options.patience) : 1;
}

BeamProblem too_many(std::string_view option, std::string_view what, double wanted, double most) {
  return {
      option,
      {errc::usage,
       fmt::format("{} is {}, and clients of this server may have {} at most.", what, wanted, most),
       "The limit is limits.max_beams; it does not apply to keys with the scope manage."}};
}

}  // namespace

std::optional<BeamProblem> beam_problem(const protocol::TranscribeOptions& options, int most,
                                        const protocol::TranscribeOptions& defaults) {
  const int beams = std::max(most, defaults.beam_size);
  if (options.beam_size > beams) {
    return too_many("beam_size", "beam_size", options.beam_size, beams);
  }
  const int samples = std::max(most, defaults.best_of);
  if (options.best_of > samples) return too_many("best_of", "best_of", options.best_of, samples);
  const double ends = std::max<double>(most, waited_for(defaults));
  if (waited_for(options) > ends) {
    return too_many("patience", "beam_size × patience", waited_for(options), ends);
  }
  return std::nullopt;
}

}  // namespace server
