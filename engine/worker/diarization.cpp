#include "engine/worker/diarization.h"

#include <filesystem>
#include <utility>
#include <variant>

#include "engine/speakers/networks/torch_speaker_networks.h"
#include "protocol/worker_contract.h"

namespace engine {

static_assert(most_speakers == protocol::worker::most_speakers);

Result<Diarization> Diarization::start(const protocol::TranscribeOptions& options,
                                       const WorkerModel& model) {
  Diarization diarization;
  if (!options.diarize) return diarization;
  const auto bounds = speaker_bounds(options);
  if (!bounds) return bounds.error();
  diarization.bounds_ = *bounds;
  const auto path = model.auxiliary.find(protocol::worker::speaker_recognition);
  const std::filesystem::path file = path == model.auxiliary.end() ? "" : path->second;
  auto networks = load_speaker_networks(file.parent_path(), model.device);
  if (networks) {
    auto voices = hear_known_voices(options.known_speakers, *networks);
    if (!voices) return voices.error();
    diarization.voices_ = *std::move(voices);
    diarization.listener_ = std::make_unique<SpeakerListener>(*std::move(networks));
    return diarization;
  }
  if (networks.error().code != Errc::not_found) return networks.error();
  return Error{Errc::not_found, "the networks that tell speakers apart are not installed",
               "Install them: scribed models pull speakers. Or transcribe without telling the "
               "speakers apart."};
}

protocol::TranscriptSink Diarization::label(const protocol::TranscriptSink& sink) {
  if (!listener_) return sink;
  Turns turns = find_turns(listener_->evidence(), bounds_, voices_);
  listener_.reset();
  sink(protocol::SpeakersFound{protocol_turns(turns.all, turns.names)});
  const auto words = std::make_shared<WordSpeakers>(std::move(turns.exclusive));
  return [&sink, words](const protocol::TranscriptEvent& event) {
    const auto* segment = std::get_if<protocol::Segment>(&event);
    if (segment == nullptr) return sink(event);
    for (protocol::Segment& part : words->label(*segment)) sink(std::move(part));
  };
}

}  // namespace engine
