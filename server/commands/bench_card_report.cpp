#include "server/commands/bench_card_report.h"

#include <fmt/format.h>

namespace server {
namespace {

namespace wire = protocol::worker;

std::string table(const wire::BenchCard& card) {
  std::string text = fmt::format("  {:<16}{:>10}{:>10}  {:<8}{:>10}{:>10}{:>11}{:>12}\n", "", "MB",
                                 "ms", "limit", "fused ms", "libtorch", "tokens/s", "x real time");
  text += fmt::format("  {:<16}{:>10.0f}{:>10.3f}  {:<8}\n", "window of 30 s",
                      card.encoder.megabytes, card.encoder.ideal_ms, card.encoder.bound);
  for (const auto& step : card.steps) {
    text += fmt::format("  {:<16}{:>10.0f}{:>10.3f}  {:<8}{:>10.3f}{:>10.3f}{:>11.0f}{:>12.0f}{}\n",
                        fmt::format("step, batch {}", step.batch), step.megabytes, step.ideal_ms,
                        step.bound, step.ms, step.ms_of_libtorch, step.tokens_per_s,
                        step.times_real_time, step.fits ? "" : "  does not fit");
  }
  return text;
}

}  // namespace

std::string bench_card_report(const std::string& model, const std::string& compute_type,
                              const wire::BenchCard& card) {
  std::string text = fmt::format("{} in {} on a model of {}: computed, nothing was measured\n",
                                 model, compute_type, card.name);
  text += "\nThe card at most, as its maker says\n";
  text += fmt::format("  {:<20}{:>10.1f} G operations/s\n", "matrix products",
                      card.giga_operations_per_s);
  text += fmt::format("  {:<20}{:>10.1f} GB/s of {:.0f} GB\n", "reading memory",
                      card.gigabytes_per_s, card.memory_gigabytes);
  text += fmt::format("  {:<20}{:>10.1f} us in a recorded graph\n", "starting a kernel",
                      card.launch_us);
  text += "\nParts of the work\n" + table(card);
  if (card.steps.empty()) return text;
  const auto& step = card.steps.front();
  text += fmt::format(
      "  A step has {} fused kernels, or {} of libtorch's. The speed is that of 100 tokens in each "
      "window.\n",
      step.launches, step.launches_of_libtorch);
  return text;
}

}  // namespace server
