#include "server/commands/job_report.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <ctime>

#include "server/base/counted.h"
#include "server/commands/answer_fields.h"
#include "server/commands/models_progress.h"
#include "server/commands/shown_language.h"
#include "server/commands/speaker_names.h"
#include "server/commands/table.h"
#include "server/log/escaped_text.h"
#include "server/transcription/clock_text.h"

namespace server {

using nlohmann::json;

namespace {

constexpr std::array phases{TranscriptionPhase::queued,        TranscriptionPhase::fetching_model,
                            TranscriptionPhase::loading_model, TranscriptionPhase::listening,
                            TranscriptionPhase::transcribing,  TranscriptionPhase::diarizing,
                            TranscriptionPhase::ended};

std::string labelled(std::string_view label, const std::string& value) {
  return value.empty() ? "" : fmt::format("{:<10} {}\n", label, printable_line(value));
}

// Seconds since 1970 as the clock on the wall shows them; "" where there are none.
std::string time_text(const std::optional<double>& time) {
  if (!time || !(*time > 0) || *time > 1e12) return "";
  const auto seconds = static_cast<std::time_t>(*time);
  std::tm local{};
  return ::localtime_r(&seconds, &local) == nullptr ? ""
                                                    : fmt::format("{:%Y-%m-%d %H:%M:%S}", local);
}

std::string length_text(const json& job) {
  const auto seconds = field_number(job, "duration");
  return seconds ? clock_text(*seconds) : "";
}

// "running 43%", "queued, place 2", "done".
std::string state_text(const json& job) {
  std::string state = field_text(job, "status");
  const auto percent = field_number(job, "percent");
  const auto place = field_number(job, "queue_place");
  if (state == "running" && percent) state += fmt::format(" {:.0f}%", std::floor(*percent));
  if (state == "queued" && place) state += fmt::format(", place {:.0f}", *place);
  return state;
}

std::string bytes_text(const std::optional<double>& bytes) {
  return bytes && *bytes > 0 ? readable_size(static_cast<std::uint64_t>(*bytes)) : "";
}

std::string stays_text(const json& model) {
  if (field_flag(model, "loading")) return "loading";
  const auto left = field_number(model, "expires_in_s");
  const auto jobs = field_number(model, "jobs").value_or(0);
  if (jobs > 0) return counted(static_cast<std::uint64_t>(jobs), "job");
  return left ? "unloads in " + clock_text(*left) : "stays";
}

std::string count_text(const json& queue, const char* name) {
  const auto number = field_number(queue, name).value_or(0);
  return counted(number > 0 ? static_cast<std::uint64_t>(number) : 0, "job");
}

}  // namespace

TranscriptionProgress progress_of(const json& job) {
  TranscriptionProgress progress;
  const std::string phase = field_text(job, "phase");
  for (const auto one : phases) {
    if (phase == name(one)) progress.phase = one;
  }
  progress.listened = field_number(job, "listened").value_or(0);
  progress.position = field_number(job, "position").value_or(0);
  progress.diarized = field_number(job, "diarized").value_or(0);
  progress.duration = field_number(job, "duration").value_or(0);
  progress.percent = field_number(job, "percent");
  progress.speed = field_number(job, "speed");
  progress.left_s = field_number(job, "left_s");
  if (const auto place = field_number(job, "queue_place")) {
    progress.queue_place = static_cast<int>(*place);
  }
  return progress;
}

protocol::Segment segment_of(const json& segment) {
  protocol::Segment found{.id = static_cast<int>(field_number(segment, "id").value_or(0)),
                          .start = field_number(segment, "start").value_or(0),
                          .end = field_number(segment, "end").value_or(0),
                          .text = field_text(segment, "text"),
                          .language = field_text(segment, "language"),
                          .speaker = field_text(segment, "speaker")};
  if (const auto channel = field_number(segment, "channel")) {
    found.channel = static_cast<int>(*channel);
  }
  return found;
}

bool job_has_ended(const json& job) {
  const std::string state = field_text(job, "status");
  return state == "done" || state == "failed" || state == "cancelled";
}

Error problem_of(const json& job) {
  const json& error = field_object(job, "error");
  const std::string state = field_text(job, "status");
  if (state == "done") return {};
  if (state == "cancelled") return {errc::cancelled, "the job was cancelled", ""};
  const std::string code = field_text(error, "code");
  return {code.empty() ? errc::internal : code, field_text(error, "message"),
          field_text(error, "fix")};
}

std::string kept_until(const json& job) {
  if (field_flag(job, "pinned")) return "until it is unpinned";
  const std::string time = time_text(field_number(job, "expires_at"));
  if (!time.empty()) return "until " + time;
  return job_has_ended(job) ? "until it is deleted" : "for its time to live after it finished";
}

std::string jobs_table(const json& jobs, bool has_more, int width) {
  if (jobs.empty()) return "There are no jobs.\n";
  Table table({"JOB", "STATUS", "LENGTH", "MODEL", "LANGUAGE", "CREATED", "TITLE"});
  for (const auto& job : jobs) {
    table.add({field_text(job, "id"), state_text(job), length_text(job), field_text(job, "model"),
               shown_language(field_text(job, "language")),
               time_text(field_number(job, "created_at")), field_text(job, "title")});
  }
  std::string text = table.text(width) + "\n" + counted(jobs.size(), "job");
  if (has_more) text += "; there are older ones: --after " + field_text(jobs.back(), "id");
  return text + "\n";
}

std::string job_text(const json& job) {
  std::string device = field_text(job, "device");
  if (!device.empty()) device = " on " + device;
  std::string text = labelled("job", field_text(job, "id")) + labelled("status", state_text(job)) +
                     labelled("title", field_text(job, "title")) +
                     labelled("model", field_text(job, "model") + device) +
                     labelled("language", shown_language(field_text(job, "language"))) +
                     labelled("length", length_text(job)) +
                     labelled("speakers", speakers_text(job)) +
                     labelled("created", time_text(field_number(job, "created_at"))) +
                     labelled("started", time_text(field_number(job, "started_at"))) +
                     labelled("finished", time_text(field_number(job, "finished_at"))) +
                     labelled("kept", job_has_ended(job) ? kept_until(job) : "");
  const auto version = field_number(job, "version");
  if (version && *version > 0) text += labelled("version", fmt::format("{:.0f}", *version));
  if (const auto attempts = field_number(job, "attempts"); attempts && *attempts > 1) {
    text += labelled("attempts", fmt::format("{:.0f}", *attempts));
  }
  if (!job_has_ended(job)) text += labelled("progress", progress_text(progress_of(job)));
  for (const auto& warning : field_array(job, "warnings")) {
    if (warning.is_string()) text += labelled("warning", warning.get<std::string>());
  }
  text += labelled("warning", field_text(field_object(job, "device_fallback"), "reason"));
  const json& error = field_object(job, "error");
  return text + labelled("error", field_text(error, "message")) +
         labelled("", field_text(error, "fix"));
}

std::string models_table(const json& models, int width) {
  if (models.empty()) return "No model is loaded.\n";
  Table table({"MODEL", "DEVICE", "ARITHMETIC", "MEMORY", "USE", "ON"});
  for (const auto& model : models) {
    table.add({field_text(model, "name"), field_text(model, "device"),
               field_text(model, "compute_type"), bytes_text(field_number(model, "memory_bytes")),
               stays_text(model), field_text(model, "device_name")});
  }
  return table.text(width);
}

std::string status_text(const json& status, const std::string& server) {
  const json& queue = field_object(status, "queue");
  const json& load_error = field_object(status, "last_load_error");
  const bool is_ready = field_flag(status, "ready");
  return labelled("server", server) + labelled("version", field_text(status, "version")) +
         labelled("ready", is_ready ? "yes" : "no: " + field_text(status, "problem")) +
         labelled("model", field_text(status, "default_model") + " where a request names none") +
         labelled("running", count_text(queue, "running")) +
         labelled("waiting", count_text(queue, "waiting")) +
         labelled("last error", field_text(load_error, "message")) +
         labelled("", field_text(load_error, "fix")) + "\n" +
         models_table(field_array(status, "models"), table_width());
}

}  // namespace server
