#include "server/commands/bench_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "protocol/bench_fields.h"

namespace server {
namespace {

namespace wire = protocol::worker;

std::string cells(const std::string& what, const wire::BenchTime& time) {
  const double reached = time.ms > 0 ? 100 * time.ideal_ms / time.ms : 0;
  return fmt::format("  {:<16}{:>10.2f}{:>10.2f}{:>8.0f} %   {:<8}", what, time.ms, time.ideal_ms,
                     reached, time.bound);
}

std::string table(const wire::BenchResult& result) {
  std::string text = fmt::format("  {:<16}{:>10}{:>10}{:>10}   {:<8}{:>10}{:>10}\n", "", "ms",
                                 "at best", "reached", "limit", "tokens/s", "x real");
  text += cells("window of 30 s", result.encoder) + "\n";
  for (const auto& step : result.steps) {
    text += cells(fmt::format("step, batch {}", step.batch), step.time);
    text += fmt::format("{:>10.1f}{:>10.1f}\n", step.tokens_per_s, step.times_real_time);
  }
  return text;
}

// A limit that does not bind would look like a wrong figure.
std::string cache_note(const wire::BenchResult& result) {
  const bool fits = std::ranges::any_of(result.steps, [&](const wire::BenchStep& step) {
    return step.time.megabytes < 2 * result.cache_megabytes;
  });
  if (!fits || result.device != "cpu") return "";
  return fmt::format(
      "  The CPU's cache ({:.0f} MB) holds much of what a step reads: it can be faster than "
      "memory.\n",
      result.cache_megabytes);
}

}  // namespace

std::string bench_report(const std::string& model, const wire::BenchResult& result) {
  std::string text = fmt::format("{} in {} on {}", model, result.compute_type, result.device);
  if (!result.device_name.empty()) text += ": " + result.device_name;
  if (result.device == "cpu") text += fmt::format(", {}, threads: {}", result.isa, result.threads);
  text += "\n";
  for (const auto& note : result.notes) text += "  " + note + "\n";

  text += "\nThe machine at most, measured\n";
  text += fmt::format("  {:<20}{:>10.1f} G operations/s\n", "matrix products",
                      result.giga_operations_per_s);
  text += fmt::format("  {:<20}{:>10.1f} GB/s\n", "reading memory", result.gigabytes_per_s);

  text += "\nThe model\n" + table(result) + cache_note(result);
  text += "  x real: seconds of sound in a second, with 100 tokens in 30 seconds.\n";

  text += "\nKernels\n";
  for (const auto& choice : result.kernels) {
    text += fmt::format("  {:<20}{}: {}\n", choice.part, choice.kernel, choice.reason);
  }
  return text;
}

nlohmann::ordered_json bench_json(const std::string& model, const wire::BenchResult& result) {
  nlohmann::ordered_json object{{"model", model}};
  object.update(protocol::json::write(result));
  return object;
}

}  // namespace server
