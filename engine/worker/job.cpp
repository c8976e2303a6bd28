#include "engine/worker/job.h"

#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "engine/torch/exception_error.h"
#include "engine/vad/silero_weights.h"
#include "engine/whisper/transcriber/parallel.h"
#include "engine/worker/live_job.h"
#include "engine/worker/options.h"
#include "engine/worker/pcm_input.h"
#include "engine/worker/thread_priority.h"

namespace engine {
namespace {

using namespace protocol::worker;  // the messages

using protocol::Progress;
using protocol::ProgressPhase;
using protocol::WorkClass;

// Seconds of sound that are listened to at the usual priority.
constexpr double short_s = 120;

// Lets others have the CPU while a long recording is listened to, or one for which nobody waits.
class GivesWay {
 public:
  explicit GivesWay(WorkClass work_class) {
    if (work_class == WorkClass::background) heard(short_s);
  }
  void heard(double seconds) {
    if (seconds < short_s || std::exchange(gives_way_, true)) return;
    lower_thread_priority();
  }

 private:
  bool gives_way_ = false;
};

// What hears speech, where the options ask for it.
Result<std::optional<SileroVad>> speech_detector(const TranscriptionOptions& options,
                                                 const std::string& weights_path) {
  if (options.long_form != LongForm::parallel && !options.vad_filter) {
    return std::optional<SileroVad>();
  }
  auto weights = load_silero(weights_path);
  if (weights) {
    return std::optional<SileroVad>(std::make_shared<const SileroWeights>(std::move(*weights)));
  }
  if (weights.error().code != Errc::not_found) return weights.error();
  return Error{Errc::not_found, "Silero VAD, which tells where speech is, is not installed",
               "Install it: scribed models pull silero-vad. Or do without the VAD filter and the "
               "long form 'parallel'."};
}

Result<std::string> transcribe_listened(const ListenedAudio& audio, Runner& runner,
                                        const Tokenizer& tokenizer,
                                        const std::optional<Speech>& speech,
                                        const TranscriptionOptions& options,
                                        const TranscriptSink& sink, const std::stop_token& stop) {
  if (options.long_form == LongForm::parallel) {
    return transcribe_parallel(runner, tokenizer, audio.spool, audio.content_frames, *speech,
                               options, sink, stop);
  }
  return transcribe_sequential(runner, tokenizer, audio.spool, audio.content_frames, options, sink,
                               stop, speech ? &*speech : nullptr);
}

// Listens to the whole pipe, then transcribes, or does both at once; fills in `done`.
Result<void> transcribe(const Transcribe& request, const platform::UniqueFd& pcm,
                        LoadedModel& model, const SendMessage& send, const std::stop_token& stop,
                        Done& done) {
  auto options = transcription_options(request.options, *model.tokenizer);
  if (!options) return options.error();
  options->alignment_heads = model.alignment_heads;
  const auto work_class =
      protocol::work_class_of(request.work_class).value_or(WorkClass::interactive);
  const auto runner = model.runner->for_job(work_class, stop);
  if (options->live_chunk) {
    return transcribe_live_job(request.job, pcm, *runner, *model.tokenizer, *options, send, stop,
                               done);
  }
  auto vad = speech_detector(*options, model.vad_path);
  if (!vad) return vad.error();
  GivesWay priority(work_class);
  auto audio = listen(
      pcm, model.summary.n_mels,
      [&](double seconds) {
        priority.heard(seconds);
        send(Event{request.job, Progress{seconds, 0, ProgressPhase::listening}});
      },
      *vad ? &**vad : nullptr, stop);
  if (!audio) return audio.error();
  done.duration_s = audio->duration_s;
  // Before the first clip there is nothing to decide.
  const auto& clips = options->clip_timestamps;
  const double begin = clips.empty() ? 0 : std::min(clips.front(), audio->duration_s);
  send(Event{request.job, Progress{begin, audio->duration_s}});
  std::optional<Speech> speech;
  if (*vad) speech.emplace(std::move(audio->speech), audio->samples);

  const TranscriptSink sink = [&](TranscriptEvent event) {
    // The last frame may end before the last sample.
    if (auto* progress = std::get_if<Progress>(&event)) {
      const bool is_end = progress->position_s >= progress->duration_s;
      progress->duration_s = audio->duration_s;
      if (is_end) progress->position_s = audio->duration_s;
    }
    send(Event{request.job, std::move(event)});
  };
  auto language =
      transcribe_listened(*audio, *runner, *model.tokenizer, speech, *options, sink, stop);
  if (!language) return language.error();
  done.language = std::move(*language);
  return {};
}

}  // namespace

Job::Job(Transcribe request, platform::UniqueFd pcm, LoadedModel& model, SendMessage send)
    : send_(std::move(send)),
      thread_([this, request = std::move(request), pcm = std::move(pcm),
               &model](const std::stop_token& stop) {
        run(request, pcm, model, stop);
        finished_ = true;
      }) {}

void Job::run(const Transcribe& request, const platform::UniqueFd& pcm, LoadedModel& model,
              const std::stop_token& stop) {
  const c10::InferenceMode inference;
  const auto begin = std::chrono::steady_clock::now();
  Done done{.job = request.job};
  Result<void> result;
  try {
    result = transcribe(request, pcm, model, send_, stop, done);
  } catch (...) {
    result = error_of_current_exception("worker");
  }
  done.transcribe_s =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  done.cancelled = !result && result.error().code == Errc::cancelled;
  if (result || done.cancelled) {
    send_(done);
  } else {
    const Error& error = result.error();
    send_(Failed{request.job, {name(error.code), error.message, error.fix}});
  }
}

}  // namespace engine
