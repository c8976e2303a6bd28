#include "server/transcription/progress_json.h"

#include <optional>

namespace server {
namespace {

using Json = nlohmann::ordered_json;

template <class Number>
Json number_or_null(const std::optional<Number>& number) {
  return number ? Json(*number) : Json();
}

Json described(const char* type, const char* description) {
  return {{"type", type}, {"description", description}};
}

}  // namespace

Json progress_json(const TranscriptionProgress& progress) {
  return {{"phase", name(progress.phase)},
          {"queue_place", number_or_null(progress.queue_place)},
          {"listened", progress.listened},
          {"position", progress.position},
          {"diarized", progress.diarized > 0 ? Json(progress.diarized) : Json()},
          {"duration", progress.duration > 0 ? Json(progress.duration) : Json()},
          {"percent", number_or_null(progress.percent)},
          {"speed", number_or_null(progress.speed)},
          {"left_s", number_or_null(progress.left_s)}};
}

Json known_progress_json(const TranscriptionProgress& progress) {
  Json known = Json::object();
  const Json all = progress_json(progress);
  for (const auto& [field, value] : all.items()) {
    if (!value.is_null()) known[field] = value;
  }
  return known;
}

Json progress_properties() {
  Json phases = Json::array();
  for (const auto phase : {TranscriptionPhase::queued, TranscriptionPhase::fetching_model,
                           TranscriptionPhase::loading_model, TranscriptionPhase::listening,
                           TranscriptionPhase::transcribing, TranscriptionPhase::diarizing,
                           TranscriptionPhase::ended}) {
    phases.push_back(name(phase));
  }
  Json phase = described("string", "What it is doing");
  phase["enum"] = std::move(phases);
  return {
      {"phase", std::move(phase)},
      {"queue_place", described("integer", "Of a job that waits; 1 is the next to begin")},
      {"listened", described("number", "Seconds of sound that were taken in")},
      {"position", described("number", "Seconds of sound whose text is decided")},
      {"diarized", described("number", "In the phase diarizing: seconds whose voices were heard")},
      {"duration", described("number", "Seconds of sound in all, once that is known")},
      {"percent", described("number", "Of the sound that is decided")},
      {"speed", described("number", "Times real time, once it is steady")},
      {"left_s", described("number", "Seconds until the end at this speed")}};
}

}  // namespace server
