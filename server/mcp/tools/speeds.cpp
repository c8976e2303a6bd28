#include "server/mcp/tools/speeds.h"

#include <fmt/format.h>

#include <algorithm>

#include "protocol/json_numbers.h"
#include "server/mcp/tools/schema.h"

namespace server {
namespace {

struct Sum {
  std::string model{};
  std::string device{};
  double sound_s = 0;
  double work_s = 0;
  int jobs = 0;
};

// A job is whole if it heard the whole recording and did not go on where another run had ended. A
// detection of the language, which goes when it has been answered, hears a part only.
bool is_whole(const Job& job) {
  return job.state == JobState::done && job.attempts == 1 && !job.request.options.language_only &&
         job.request.options.clip_timestamps.empty() && job.summary.timings.transcribe_s > 0;
}

}  // namespace

std::vector<Speed> speeds_of(const std::vector<Job>& newest_first) {
  std::vector<Sum> sums;
  for (const auto& job : newest_first) {
    if (!is_whole(job)) continue;
    const std::string& model = job.summary.model;
    const std::string& device = job.summary.device;
    const auto is_same = [&](const Sum& sum) { return sum.model == model && sum.device == device; };
    auto sum = std::ranges::find_if(sums, is_same);
    if (sum == sums.end()) sum = sums.insert(sums.end(), {.model = model, .device = device});
    sum->sound_s += job.summary.duration;
    sum->work_s += job.summary.timings.transcribe_s;
    ++sum->jobs;
  }
  std::vector<Speed> speeds;
  for (const auto& sum : sums) {
    speeds.push_back({sum.model, sum.device, sum.sound_s / sum.work_s, sum.jobs});
  }
  return speeds;
}

std::string text_of(const Speed& speed) {
  return fmt::format("{} on {}: {:.1f} seconds of sound per second of work (your last {}).\n",
                     speed.model, speed.device, speed.speed,
                     speed.jobs == 1 ? "job" : fmt::format("{} jobs", speed.jobs));
}

nlohmann::json json_of(const Speed& speed) {
  return {{"model", speed.model},
          {"device", speed.device},
          {"speed", protocol::json::score(speed.speed)},
          {"jobs", speed.jobs}};
}

nlohmann::json speed_schema() {
  const nlohmann::json string{{"type", "string"}};
  return schema::object({{"model", string},
                         {"device", string},
                         {"speed", {{"type", "number"}}},
                         {"jobs", {{"type", "integer"}}}},
                        {"model", "device", "speed", "jobs"});
}

}  // namespace server
