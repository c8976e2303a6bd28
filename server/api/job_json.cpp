#include "server/api/job_json.h"

#include "protocol/error_text.h"
#include "protocol/json_numbers.h"
#include "protocol/json_text.h"
#include "protocol/option_table.h"
#include "server/device/device_plan.h"
#include "server/jobs/speaker_rename.h"
#include "server/transcription/progress_json.h"

namespace server::api {

using Json = nlohmann::ordered_json;
using protocol::json::score;
using protocol::json::seconds;

namespace {

Json time_or_null(double time) {
  return time > 0 ? Json(seconds(time)) : Json();
}

Json text_or_null(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}

Json error_or_null(const std::optional<protocol::Error>& error) {
  if (!error) return nullptr;
  return {{"code", error->code},
          {"message", protocol::whole_sentence(error->message)},
          {"fix", text_or_null(protocol::whole_sentence(error->fix))}};
}

// While sound grows a player would take its length for the recording's.
bool can_be_heard(const Job& job) {
  return job.sound && (job.sound->is_whole || has_ended(job.state));
}

Json sound_or_null(const std::optional<KeptSound>& sound) {
  if (!sound) return nullptr;
  return {
      {"bytes", sound->bytes}, {"seconds", seconds(sound->seconds())}, {"whole", sound->is_whole}};
}

Json fallback_or_null(const std::optional<protocol::DeviceFallback>& fallback) {
  if (!fallback) return nullptr;
  return {{"wanted", fallback->wanted}, {"code", fallback->code}, {"reason", fallback->headline}};
}

Json places_or_null(const protocol::DeviceUse& use) {
  if (use.windows == 0) return nullptr;
  return {{"windows", use.windows},
          {"windows_held", use.windows_held},
          {"rows", use.rows},
          {"rows_held", use.rows_held},
          {"bytes", use.cache_bytes}};
}

Json graphs_or_null(const protocol::DeviceUse& use) {
  if (!use.records_graphs) return nullptr;
  return {{"recorded", use.graphs},
          {"failures", use.graph_failures},
          {"off", text_or_null(use.graphs_off)}};
}

// Returns what each speaker is called, in the order in which they begin to speak.
Json speaker_names_of(const Job& job) {
  Json names = Json::object();
  for (const auto& label : speaker_labels(job)) {
    names[label] = protocol::called(job.speaker_names, label);
  }
  return names;
}

// Models that have places are those that fused kernels may be used for.
Json kernels_or_null(const protocol::DeviceUse& use) {
  if (use.windows == 0) return nullptr;
  return {{"rows", use.kernel_rows},
          {"choice", use.kernel_choice},
          {"off", text_or_null(use.kernels_off)}};
}

}  // namespace

Json job_body(const Job& job) {
  Json body{{"id", job.id},
            {"object", "job"},
            {"status", name(job.state)},
            {"title", text_or_null(shown_title(job))},
            {"filename", text_or_null(job.request.title)},
            {"pinned", job.pinned},
            {"model", job.request.model},
            {"task", protocol::json::name_of(job.request.options.task)},
            {"diarize", job.request.options.diarize},
            {"live", job.request.live},
            {"priority", job.request.bulk ? "bulk" : "normal"},
            {"language", text_or_null(job.language.empty() ? job.summary.language : job.language)},
            {"created_at", seconds(job.created)},
            {"started_at", time_or_null(job.started)},
            {"finished_at", time_or_null(job.finished)},
            {"expires_at", time_or_null(job.expires)},
            {"request_id", text_or_null(job.request.trace.request_id)},
            {"owner", job.request.owner},
            {"attempts", job.attempts},
            {"segments", job.segments},
            {"version", job.version},
            {"device", text_or_null(job.summary.device)},
            {"device_fallback", fallback_or_null(job.summary.fallback)},
            {"warnings", job.summary.warnings},
            {"error", error_or_null(job.error)},
            {"speaker_names", speaker_names_of(job)},
            {"has_audio", can_be_heard(job)},
            {"audio", sound_or_null(job.sound)},
            {"metadata", job.request.metadata}};
  body.update(progress_json(job.progress));
  return body;
}

Json job_body_for(const std::string& reader, const Job& job) {
  Json body = job_body(job);
  if (job.request.owner == reader) return body;
  body["speaker_names"] = Json::object();
  body["title"] = body["filename"];
  return body;
}

Response accepted_answer(const Exchange& exchange, const Job& job) {
  Response answer{.status = http::status::accepted, .body = protocol::json::dump(job_body(job))};
  answer.headers.emplace_back("location", exchange.url().prefix + "/v1/jobs/" + job.id);
  return answer;
}

Json segment_body(const protocol::Segment& segment) {
  Json body{{"id", segment.id},
            {"start", seconds(segment.start)},
            {"end", seconds(segment.end)},
            {"text", segment.text},
            {"confidence", score(protocol::confidence(segment))}};
  if (!segment.language.empty()) body["language"] = segment.language;
  if (segment.channel) body["channel"] = *segment.channel;
  if (!segment.speaker.empty()) body["speaker"] = segment.speaker;
  return body;
}

Json loaded_model_body(const LoadedModel& model) {
  Json passed_over = Json::array();
  for (const auto& card : model.passed_over) passed_over.push_back(warning_of(card));
  Json devices = Json::array();
  for (const auto& device : model.devices) {
    devices.push_back({{"device", text_or_null(device.device)},
                       {"device_name", text_or_null(device.device_name)},
                       {"memory_bytes", device.memory_bytes},
                       {"loading", device.is_loading},
                       {"jobs", device.jobs},
                       {"places", places_or_null(device.use)},
                       {"graphs", graphs_or_null(device.use)},
                       {"kernels", kernels_or_null(device.use)},
                       {"encoder_window", text_or_null(device.use.encoder_window)}});
  }
  Json body{{"name", model.name},
            {"device", text_or_null(model.device)},
            {"device_name", text_or_null(model.device_name)},
            {"device_reason", text_or_null(model.device_reason)},
            {"compute_type", text_or_null(model.compute_type)},
            {"passed_over", std::move(passed_over)},
            {"devices", std::move(devices)},
            {"sandbox", {{"active", model.shields}, {"missing", model.missing_shields}}},
            {"memory_bytes", model.memory_bytes},
            {"load_s", seconds(model.load_s)},
            {"loading", model.is_loading},
            {"jobs", model.jobs},
            {"expires_in_s", nullptr}};
  if (model.expires_in) body["expires_in_s"] = static_cast<double>(model.expires_in->count()) / 1e3;
  return body;
}

}  // namespace server::api
