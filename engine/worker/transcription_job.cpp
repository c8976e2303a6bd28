#include "engine/worker/transcription_job.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "engine/audio/listen.h"
#include "engine/audio/sample_rate.h"
#include "engine/exception_error.h"
#include "engine/vad/silero_weights.h"
#include "engine/vad/speech_listener.h"
#include "engine/worker/diarization.h"
#include "engine/worker/live_job.h"
#include "engine/worker/thread_priority.h"
#include "protocol/worker_contract.h"

namespace engine {
namespace {

using namespace protocol::worker;  // the messages

using protocol::Progress;
using protocol::ProgressPhase;
using protocol::TranscriptEvent;
using protocol::WorkClass;

static_assert(sample_rate_hz == pcm_rate_hz);

// So many seconds of sound are listened to at the usual priority.
constexpr double short_s = 120;

// Lets others have the CPU while a long recording is listened to, or one for which nobody waits.
class GivesWay {
 public:
  explicit GivesWay(WorkClass work_class) : work_class_(work_class) {
    if (work_class == WorkClass::background) heard(short_s);
  }
  void heard(double seconds) {
    if (seconds < short_s || std::exchange(gives_way_, true)) return;
    lower_thread_priority(work_class_);
  }

 private:
  WorkClass work_class_;
  bool gives_way_ = false;
};

// VAD that only helps language detection stops after that many samples of speech.
constexpr std::int64_t speech_for_language = std::int64_t{1} * sample_rate_hz;
// Language detection without VAD listens to that many windows to find the first loud one.
constexpr int windows_to_find_sound = 10;

// How far VAD listens to a recording.
struct SpeechWanted {
  bool is_required = false;  // the job fails without VAD
  std::int64_t enough = 0;   // samples of speech; 0: nobody has to listen
};

SpeechWanted speech_wanted(const protocol::TranscribeOptions& options, bool multilingual) {
  if (options.long_form == protocol::LongForm::parallel || options.vad_filter) {
    return {true, SpeechListener::whole};
  }
  const bool may_echo =
      !options.initial_prompt.empty() || !options.hotwords.empty() || !options.prefix.empty();
  if (!options.language_only && (may_echo || options.multilingual)) {
    return {false, SpeechListener::whole};
  }
  const bool is_language_unknown = multilingual && options.language.empty();
  return {false, is_language_unknown ? speech_for_language : 0};
}

// Returns the listener that finds speech; null where the options ask for none, or where Silero VAD
// would only help and is not there.
Result<std::unique_ptr<SpeechListener>> speech_listener(const SpeechWanted& wanted,
                                                        const Auxiliary& auxiliary) {
  if (wanted.enough == 0) return std::unique_ptr<SpeechListener>();
  const auto path = auxiliary.find(speech_detection);
  auto weights = load_silero(path == auxiliary.end() ? "" : path->second);
  if (weights) {
    return std::make_unique<SpeechListener>(
        std::make_shared<const SileroWeights>(std::move(*weights)), wanted.enough);
  }
  if (!wanted.is_required) return std::unique_ptr<SpeechListener>();
  if (weights.error().code != Errc::not_found) return weights.error();
  return Error{Errc::not_found,
               "the VAD filter and long_form=parallel need the model 'silero-vad', which is not "
               "installed",
               "Run `scribed models pull silero-vad`, or transcribe without them."};
}

// Says when enough was listened to for detection alone: as many windows as it hears, behind the
// first speech.
class Enough {
 public:
  Enough(const protocol::TranscribeOptions& options, const SpeechListener* speech)
      : windows_(options.language_detection_segments), speech_(speech) {
    if (!options.language_only)
      windows_ = std::numeric_limits<int>::max();
    else if (!speech)
      windows_ = std::max(windows_, windows_to_find_sound);
  }

  // To be asked after each window of sound.
  bool is_heard() {
    if (!speech_ || speech_->has_heard_enough()) --windows_;
    return windows_ <= 0;
  }

 private:
  int windows_;
  const SpeechListener* speech_;  // may be null
};

// Listens to the pipe, then transcribes; beside that the speakers are told apart.
Result<Recognized> transcribe_whole(const TranscriptionRequest& request, int pipe,
                                    WorkerModel& model, const protocol::TranscriptSink& sink,
                                    const std::stop_token& stop, Done& done) {
  const auto transcription = model.recognizer->start(request, stop);
  if (!transcription) return transcription.error();
  const bool multilingual = model.recognizer->capabilities().multilingual;
  const auto speech =
      speech_listener(speech_wanted(request.options, multilingual), model.auxiliary);
  if (!speech) return speech.error();
  auto speakers = Diarization::start(request, model, stop);
  if (!speakers) return speakers.error();
  std::vector<PcmSink*> listeners{transcription->get()};
  if (*speech) listeners.push_back(speech->get());
  if (PcmSink* const listener = speakers->listener()) listeners.push_back(listener);
  GivesWay priority(request.work_class);
  Enough enough(request.options, speech->get());
  const auto samples = listen(
      pipe, listeners,
      [&](double seconds) {
        priority.heard(seconds);
        sink(Progress{seconds, 0, ProgressPhase::listening});
        return !enough.is_heard();
      },
      stop);
  if (!samples) return samples.error();
  done.duration_s = static_cast<double>(*samples) / sample_rate_hz;
  // Before the first clip there is nothing to decide.
  const auto& clips = request.options.clip_timestamps;
  const double begin = clips.empty() ? 0 : std::min(clips.front(), done.duration_s);
  sink(Progress{begin, done.duration_s, ProgressPhase::transcribing});
  Sound sound{.samples = *samples};
  if (*speech) sound.speech = (*speech)->probabilities();
  auto recognized = (*transcription)->transcribe(sound, sink);
  if (!recognized) return recognized;
  if (const auto told = speakers->finish(done.duration_s, sink, stop); !told) return told.error();
  return recognized;
}

Result<void> transcribe(const Transcribe& message, const platform::UniqueFd& pcm,
                        WorkerModel& model, LiveWishes& wishes, const SendMessage& send,
                        const std::stop_token& stop, Done& done) {
  TranscriptionRequest request{
      message.options, protocol::work_class_of(message.work_class).value_or(WorkClass::interactive),
      message.owner, model.spools};
  // Whose a segment is, its words tell.
  request.options.word_timestamps |= request.options.diarize;
  const protocol::TranscriptSink sink = [&](const TranscriptEvent& event) {
    send(Event{message.job, event});
  };
  auto recognized = message.live || request.options.live_chunk
                        ? transcribe_live(message, request, pcm.get(), model, wishes, sink, stop)
                        : transcribe_whole(request, pcm.get(), model, sink, stop, done);
  if (!recognized) return recognized.error();
  done.language = std::move(recognized->language);
  done.duration_s = recognized->duration_s;
  done.warnings = std::move(recognized->warnings);
  done.windows = recognized->windows;
  return {};
}

}  // namespace

TranscriptionJob::TranscriptionJob(Transcribe request, platform::UniqueFd pcm, WorkerModel& model,
                                   SendMessage send)
    : send_(std::move(send)),
      thread_([this, request = std::move(request), pcm = std::move(pcm),
               &model](const std::stop_token& stop) {
        run(request, pcm, model, stop);
        finished_ = true;
      }) {}

void TranscriptionJob::wish(Live message) {
  if (auto wanted = wish_of(std::move(message))) wishes_.add(*std::move(wanted));
}

void TranscriptionJob::run(const Transcribe& request, const platform::UniqueFd& pcm,
                           WorkerModel& model, const std::stop_token& stop) {
  const auto begin = std::chrono::steady_clock::now();
  Done done{.job = request.job};
  Result<void> result;
  try {
    result = transcribe(request, pcm, model, wishes_, send_, stop, done);
  } catch (...) {
    result = error_of_current_exception("worker");
  }
  done.transcribe_s =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  done.use = model.recognizer->use();
  done.cancelled = !result && result.error().code == Errc::cancelled;
  if (result || done.cancelled) {
    send_(done);
  } else {
    const Error& error = result.error();
    send_(Failed{request.job, {name(error.code), error.message, error.fix}});
  }
}

}  // namespace engine
