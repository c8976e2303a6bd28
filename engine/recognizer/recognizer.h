#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/audio/pcm_sink.h"
#include "engine/audio/spool_owners.h"
#include "engine/device/compute_type.h"
#include "engine/device/device.h"
#include "engine/live/live_source.h"
#include "protocol/device_use.h"
#include "protocol/live_options.h"
#include "protocol/transcribe_options.h"
#include "protocol/transcript_event.h"
#include "protocol/work_class.h"

// The worker knows its model by this interface alone, whatever family it is of.
namespace engine {

struct Capabilities {
  std::string family{};       // "whisper"
  bool multilingual = false;  // it knows more languages than English
};

// The request says what somebody wants of one recording.
struct TranscriptionRequest {
  protocol::TranscribeOptions options{};
  protocol::WorkClass work_class = protocol::WorkClass::interactive;
  std::string owner{};  // owners share the device
  // Counts what is kept of the recording on disk; nullptr: nobody counts it.
  std::shared_ptr<SpoolOwners> spools{};
};

// The findings of the listeners beside the recogniser's own, on a whole recording.
struct Sound {
  std::int64_t samples = 0;
  // It says how likely there is speech in each chunk of 512 samples, of all the recording or of its
  // beginning; unset where nobody listened for it.
  std::optional<std::vector<float>> speech{};
};

struct Recognized {
  std::string language{};  // a code
  double duration_s = 0;
  std::vector<std::string> warnings{};  // sentences for the user
  protocol::WindowCounts windows{};
};

// One recording on its way to text: first it hears all of the sound, then it is transcribed. One
// thread uses it; it must end before its recogniser.
class Transcription : public PcmSink {
 public:
  // To be called once, when the recording has finished. Segments, the language and the progress go
  // to `sink`, on the calling thread and in order. Fails with `cancelled` on a stop request;
  // segments that were told before stay valid.
  virtual Result<Recognized> transcribe(const Sound& sound,
                                        const protocol::TranscriptSink& sink) = 0;
};

// A loaded model. Any number of threads may call it at once; each call blocks its caller.
class Recognizer {
 public:
  virtual ~Recognizer() = default;

  virtual const Capabilities& capabilities() const = 0;

  // Returns which places of its device's memory the model has, and how many are held now.
  virtual protocol::DeviceUse use() const { return {}; }

  // Fails with invalid_option where the model cannot do what is wanted. A stop request ends the
  // transcription within a step.
  virtual Result<std::unique_ptr<Transcription>> start(const TranscriptionRequest& request,
                                                       const std::stop_token& stop) = 0;

  // Transcribes sound while it is made, until `source` has ended. Of each turn LiveWords and one
  // TurnEnded (protocol/live_events.h) go to `sink`; the source tells where speech begins and
  // stops. With `request.options.live_chunk` the sound is one recording, whose text goes there as
  // segments instead. In both cases a LiveText follows each look at what has come in.
  virtual Result<Recognized> transcribe_live(const TranscriptionRequest& request,
                                             const protocol::LiveOptions& live, LiveSource& source,
                                             const protocol::TranscriptSink& sink,
                                             const std::stop_token& stop) = 0;
};

struct LoadRequest {
  std::filesystem::path model{};
  std::filesystem::path speech_detection{};  // the file of Silero VAD; there need not be one
  DeviceOptions device{};
  ComputeType type = ComputeType::float32;
  int windows = 0;  // of sound that are in memory at once, beside a few; 0: no limit
  // These are for a GPU: see protocol::worker::Load.
  int gpu_windows = 0;
  int rows = 5;
  double memory_part = 1;
  // It is called once, on the thread that owns the device, when that is open and before the weights
  // are read; not at all where there is nothing to open, on a CPU that kernels are written for. An
  // error ends the loading.
  std::function<Result<void>()> device_opened{};
};

struct LoadedRecognizer {
  std::unique_ptr<Recognizer> recognizer{};
  std::vector<std::string> notes{};  // for the user
};

}  // namespace engine
