#include "engine/whisper/recognizer/whisper_recognizer.h"

#include <functional>
#include <optional>
#include <string>

#include "engine/audio/sample_rate.h"
#include "engine/whisper/audio/mel_listener.h"
#include "engine/whisper/constants.h"
#include "engine/whisper/recognizer/family.h"
#include "engine/whisper/recognizer/options.h"
#include "engine/whisper/transcriber/live.h"
#include "engine/whisper/transcriber/option_warnings.h"
#include "engine/whisper/transcriber/parallel.h"
#include "engine/whisper/transcriber/window_options.h"
#include "protocol/worker_contract.h"

namespace engine {
namespace {

static_assert(window_s == protocol::worker::window_s);
static_assert(text_positions == protocol::worker::window_tokens);

class WhisperTranscription final : public Transcription {
 public:
  WhisperTranscription(std::unique_ptr<Runner> runner, const Tokenizer& tokenizer,
                       TranscriptionOptions options, MelSpool spool, std::stop_token stop)
      : runner_(std::move(runner)),
        tokenizer_(tokenizer),
        options_(std::move(options)),
        mel_(runner_->dims().n_mels, std::move(spool)),
        stop_(std::move(stop)),
        pause_(options_.short_trial) {}

  Result<void> push(std::span<const float> pcm) override { return mel_.push(pcm); }
  Result<void> finish() override { return mel_.finish(); }

  Result<Recognized> transcribe(const Sound& sound, const TranscriptSink& sink) override {
    std::optional<Speech> speech;
    if (sound.speech) speech.emplace(*sound.speech, sound.samples);
    const double duration_s = static_cast<double>(sound.samples) / sample_rate_hz;
    auto language = run(speech ? &*speech : nullptr, [&](TranscriptEvent event) {
      // The last frame may end before the last sample.
      if (auto* progress = std::get_if<protocol::Progress>(&event)) {
        const bool is_end = progress->position_s >= progress->duration_s;
        progress->duration_s = duration_s;
        if (is_end) progress->position_s = duration_s;
      }
      sink(event);
    });
    if (!language) return language.error();
    return Recognized{
        std::move(*language), duration_s,
        option_warnings(options_, tokenizer_, most_prompt_tokens(runner_->dims()), duration_s),
        runner_->window_counts()};
  }

 private:
  // Returns the language.
  Result<std::string> run(const Speech* speech, const TranscriptSink& sink) {
    if (options_.long_form == LongForm::parallel && !options_.language_only) {
      return transcribe_parallel(*runner_, tokenizer_, mel_.spool(), mel_.content_frames(), *speech,
                                 options_, sink, stop_);
    }
    return transcribe_sequential(*runner_, tokenizer_, mel_.spool(), mel_.content_frames(),
                                 options_, sink, stop_, speech);
  }

  std::unique_ptr<Runner> runner_;  // for this transcription
  const Tokenizer& tokenizer_;
  TranscriptionOptions options_;
  MelListener mel_;
  std::stop_token stop_;
  ShortTrial::Pause pause_;
};

}  // namespace

WhisperRecognizer::WhisperRecognizer(WhisperParts parts)
    : parts_(std::move(parts)),
      capabilities_{std::string(WhisperFamily::name), parts_.tokenizer->multilingual()} {
  if (parts_.runner->short_windows() == ShortWindows::by_trial) {
    trial_ = std::make_unique<ShortTrial>(*parts_.runner, *parts_.tokenizer);
  }
}

protocol::DeviceUse WhisperRecognizer::use() const {
  protocol::DeviceUse use = parts_.runner->use();
  const bool is_short = parts_.runner->short_windows() == ShortWindows::by_default;
  use.encoder_window = trial_ ? trial_->state() : is_short ? "short" : "full";
  return use;
}

Result<TranscriptionOptions> WhisperRecognizer::options_of(
    const TranscriptionRequest& request) const {
  auto options = transcription_options(request.options, *parts_.tokenizer);
  if (!options) return options;
  options->alignment_heads = parts_.alignment_heads;
  options->short_trial = trial_.get();
  return options;
}

namespace {

Runner::Asker asker_of(const TranscriptionRequest& request) {
  return {request.work_class, std::hash<std::string>()(request.owner)};
}

}  // namespace

Result<std::unique_ptr<Transcription>> WhisperRecognizer::start(const TranscriptionRequest& request,
                                                                const std::stop_token& stop) {
  auto options = options_of(request);
  if (!options) return options.error();
  auto spool = MelSpool::create(parts_.runner->dims().n_mels, SpoolFile::default_folder(),
                                {request.spools, request.owner});
  if (!spool) return spool.error();
  return std::make_unique<WhisperTranscription>(parts_.runner->for_job(asker_of(request), stop),
                                                *parts_.tokenizer, std::move(*options),
                                                std::move(*spool), stop);
}

Result<Recognized> WhisperRecognizer::transcribe_live(const TranscriptionRequest& request,
                                                      const protocol::LiveOptions& live,
                                                      LiveSource& source,
                                                      const TranscriptSink& sink,
                                                      const std::stop_token& stop) {
  const auto options = options_of(request);
  if (!options) return options.error();
  const ShortTrial::Pause pause(trial_.get());
  const auto runner = parts_.runner->for_job(asker_of(request), stop);
  auto recognized =
      engine::transcribe_live(*runner, *parts_.tokenizer, *options, live, source, sink, stop);
  if (!recognized) return recognized;
  recognized->warnings = option_warnings(*options, *parts_.tokenizer,
                                         most_prompt_tokens(runner->dims()), std::nullopt);
  return recognized;
}

}  // namespace engine
