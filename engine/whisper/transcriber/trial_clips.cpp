#include "engine/whisper/transcriber/trial_clips.h"

#include <cstdint>
#include <utility>

#include "engine/whisper/constants.h"
#include "engine/whisper/transcriber/short_trial.h"

namespace engine {
namespace {

bool is_of_use(const TranscriptionOptions& options, const DecodedWindow& window) {
  constexpr auto most_frames = static_cast<std::int64_t>(ShortTrial::longest_s * frames_per_second);
  return window.kind == WindowKind::full && !options.without_timestamps &&
         options.encoder_window == EncoderWindow::automatic &&
         window.place.end - window.place.begin <= most_frames &&
         window.tries.last.temperature == options.temperatures.front() &&
         !is_silence(window.tries.last, options);
}

}  // namespace

Result<void> give_to_trial(const TranscriptionOptions& options, const MelSpool& spool,
                           const Hearing& hearing, const DecodedWindow& window) {
  ShortTrial* const trial = options.short_trial;
  if (!trial || !is_of_use(options, window) || !trial->wants_clip()) return {};
  const Clip& place = window.place;
  const auto frames = static_cast<int>(place.end - place.begin);
  auto mel = spool.read_window(place.begin, frames);
  if (!mel) return mel.error();
  mel->frames = frames;
  const auto speech_end = hearing.last_spoken(place);
  if (!speech_end) return speech_end.error();
  const double speech_end_s = static_cast<double>(*speech_end - place.begin) / frames_per_second;
  trial->add({*std::move(mel), first_try(window.decoding, options), speech_end_s,
              window.tries.chosen.text});
  return {};
}

}  // namespace engine
