#include "engine/worker/diarization.h"

#include <filesystem>
#include <utility>

#include "engine/kernels/chosen_isa.h"
#include "engine/speakers/speaker_protocol.h"
#include "engine/speakers/spoken_turns.h"
#include "engine/torch_parts/torch_parts.h"
#include "engine/worker/thread_priority.h"
#include "protocol/worker_contract.h"

namespace engine {

static_assert(most_speakers == protocol::worker::most_speakers);

namespace {

Result<std::shared_ptr<const SpeakerNetworks>> load_networks(const WorkerModel& model) {
  const auto path = model.auxiliary.find(protocol::worker::speaker_recognition);
  const std::filesystem::path file = path == model.auxiliary.end() ? "" : path->second;
  const auto parts = torch_parts();
  if (!parts) return parts.error();
  // Beside a transcription on kernels of our own, which have threads, they take one.
  DeviceOptions options = model.device;
  if (options.device.is_cpu() && kernels::isa_of_this_cpu()) options.threads = 1;
  auto networks = (*parts)->load_speaker_networks(file.parent_path(), options, model.type);
  if (networks || networks.error().code != Errc::not_found) return networks;
  return Error{Errc::not_found, "speaker labels need the model 'speakers', which is not installed",
               "Run `scribed models pull speakers`, or transcribe without speaker labels."};
}

}  // namespace

Result<std::unique_ptr<LiveSpeakers>> live_speakers(const protocol::TranscribeOptions& options,
                                                    const WorkerModel& model,
                                                    const std::stop_token& stop) {
  if (!options.diarize) return std::unique_ptr<LiveSpeakers>();
  auto bounds = speaker_bounds(options);
  if (!bounds) return bounds.error();
  if (!options.num_speakers && !options.max_speakers) bounds->most = most_speakers;
  auto networks = load_networks(model);
  if (!networks) return networks.error();
  auto voices = hear_known_voices(options.known_speakers, *networks, stop);
  if (!voices) return voices.error();
  return std::make_unique<LiveSpeakers>(*std::move(networks), *std::move(voices), *bounds);
}

Result<Diarization> Diarization::start(const TranscriptionRequest& request,
                                       const WorkerModel& model, const std::stop_token& stop) {
  const protocol::TranscribeOptions& options = request.options;
  Diarization diarization;
  if (!options.diarize) return diarization;
  const auto bounds = speaker_bounds(options);
  if (!bounds) return bounds.error();
  auto networks = load_networks(model);
  if (!networks) return networks.error();
  auto voices = hear_known_voices(options.known_speakers, *networks, stop);
  if (!voices) return voices.error();
  const auto silero = model.auxiliary.find(protocol::worker::speech_detection);
  auto vad = load_second_opinion(silero == model.auxiliary.end() ? "" : silero->second);
  if (!vad) return vad.error();
  auto file = SpoolFile::create(SpoolFile::default_folder(), SpoolFile::default_min_free(),
                                {request.spools, request.owner});
  if (!file) return file.error();
  const auto give_way = [work_class = request.work_class] { lower_thread_priority(work_class); };
  diarization.thread_ =
      std::make_unique<SpeakerThread>(*std::move(networks), *bounds, *std::move(voices),
                                      *std::move(file), give_way, *std::move(vad));
  return diarization;
}

Result<void> Diarization::finish(double duration_s, const protocol::TranscriptSink& sink,
                                 const std::stop_token& stop) {
  if (!thread_) return {};
  const auto tell = [&](double seconds) {
    sink(protocol::Progress{seconds, duration_s, protocol::ProgressPhase::diarizing});
  };
  tell(0);
  const auto turns = thread_->turns(tell, stop);
  if (!turns) return turns.error();
  sink(protocol::SpeakersFound{protocol_turns(turns->all, turns->names),
                               protocol_turns(turns->exclusive, turns->names)});
  return {};
}

}  // namespace engine
