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
  return {{"phase", std::move(phase)},
          {"queue_place", described("integer", "Position of a queued job; 1 is next")},
          {"listened", described("number", "Seconds of audio that were read")},
          {"position", described("number", "Seconds of audio that are transcribed")},
          {"diarized",
           described("number", "In the phase diarizing: seconds whose voices are processed")},
          {"duration", described("number", "Total seconds of audio, once known")},
          {"percent", described("number", "Position of the transcribed audio")},
          {"speed", described("number", "Times real time, once it is steady")},
          {"left_s", described("number", "Seconds until the end at this speed")}};
}

}  // namespace server
