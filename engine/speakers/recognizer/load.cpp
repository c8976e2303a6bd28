#include "engine/speakers/recognizer/family.h"
#include "engine/speakers/recognizer/speaker_recognizer.h"
#include "engine/speakers/spoken_turns.h"
#include "engine/torch_parts/torch_parts.h"
#include "platform/landlock.h"
#include "protocol/bench_messages.h"

namespace engine {

Result<LoadedRecognizer> SpeakersFamily::load(const LoadRequest& request) {
  const auto parts = torch_parts();
  if (!parts) return parts.error();
  const auto device = (*parts)->open_device(request.device);
  if (!device) return device.error();
  if (request.device_opened) {
    if (const auto fine = request.device_opened(); !fine) return fine.error();
  }
  auto networks = (*parts)->load_speaker_networks(request.model, request.device, request.type);
  if (!networks) return networks.error();
  auto vad = load_second_opinion(request.speech_detection);
  if (!vad) return vad.error();
  LoadedRecognizer loaded;
  loaded.recognizer = std::make_unique<SpeakerRecognizer>(*std::move(networks), *std::move(vad));
  return loaded;
}

Result<protocol::worker::BenchResult> SpeakersFamily::bench(const protocol::worker::Bench&) {
  return Error{Errc::invalid_option, "the networks that tell speakers apart have no bench",
               "Name a model that transcribes."};
}

std::vector<platform::PathRule> SpeakersFamily::written_paths() {
  return {};
}

}  // namespace engine
