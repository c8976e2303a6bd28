#include "server/commands/bench_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "protocol/bench_fields.h"
#include "server/commands/bench_card_report.h"

namespace server {
namespace {

namespace wire = protocol::worker;

std::string cells(const std::string& what, const wire::BenchTime& time) {
  const double reached = time.ms > 0 ? 100 * time.ideal_ms / time.ms : 0;
  return fmt::format("  {:<16}{:>10.2f}{:>10.2f}{:>8.0f} %   {:<8}", what, time.ms, time.ideal_ms,
                     reached, time.bound);
}

std::string table(const wire::BenchResult& result) {
  std::string text = fmt::format("  {:<16}{:>10}{:>10}{:>10}   {:<8}{:>10}\n", "", "ms", "at best",
                                 "reached", "limit", "tokens/s");
  text += cells("window of 30 s", result.encoder) + "\n";
  for (const auto& measured : result.encoder_batches) {
    text += fmt::format("  {:<16}{:>10.2f}\n", fmt::format("  of {} at once", measured.batch),
                        measured.ms_of_a_window);
  }
  for (const auto& step : result.steps) {
    text += cells(fmt::format("step, batch {}", step.batch), step.time);
    text += fmt::format("{:>10.1f}\n", step.tokens_per_s);
  }
  return text;
}

// Explains figures above the memory limit, which would look wrong otherwise.
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

std::string transcription_text(const std::optional<BenchTranscription>& measured) {
  if (!measured) {
    return "\nSpeed with a recording: scribed bench FILE\n";
  }
  return fmt::format(
      "\nFrom the file to the text, as in scribed transcribe\n  {:.1f} s of audio in {:.2f} s, the "
      "median of {} runs: {:.1f} x real time\n  Loading the model took {:.2f} s more.\n",
      measured->sound_s, measured->transcribe_s, measured->runs, times_real_time(*measured),
      measured->load_s);
}

}  // namespace

std::string bench_report(const BenchFigures& figures) {
  const wire::BenchResult& result = figures.parts;
  if (result.card) return bench_card_report(figures.model, result.compute_type, *result.card);
  std::string text =
      fmt::format("{} in {} on {}", figures.model, result.compute_type, result.device);
  if (!result.device_name.empty()) text += ": " + result.device_name;
  if (result.device == "cpu") text += fmt::format(", {}, threads: {}", result.isa, result.threads);
  text += "\n";
  for (const auto& note : result.notes) text += "  " + note + "\n";

  text += transcription_text(figures.transcription);
  text += "\nThe machine at most, measured\n";
  text += fmt::format("  {:<20}{:>10.1f} G operations/s\n", "matrix products",
                      result.giga_operations_per_s);
  text += fmt::format("  {:<20}{:>10.1f} GB/s\n", "reading memory", result.gigabytes_per_s);

  text += "\nParts of the work\n" + table(result) + cache_note(result);

  text += "\nKernels\n";
  for (const auto& choice : result.kernels) {
    text += fmt::format("  {:<20}{}: {}\n", choice.part, choice.kernel, choice.reason);
  }
  return text;
}

nlohmann::ordered_json bench_json(const BenchFigures& figures) {
  nlohmann::ordered_json object{{"model", figures.model}};
  if (const auto& card = figures.parts.card) {
    object["compute_type"] = figures.parts.compute_type;
    object["card"] = protocol::json::write(*card);
    return object;
  }
  if (const auto& measured = figures.transcription) {
    object["transcription"] = {{"sound_s", measured->sound_s},
                               {"load_s", measured->load_s},
                               {"transcribe_s", measured->transcribe_s},
                               {"runs", measured->runs},
                               {"times_real_time", times_real_time(*measured)}};
  }
  object.update(protocol::json::write(figures.parts));
  object.erase("card");
  return object;
}

}  // namespace server
