#include "engine/whisper/transcriber/window_encoder.h"

#include <utility>

namespace engine {
namespace {

// Without timestamps nothing tells whether the text ends before the audio does.
bool shortens(const Runner& runner, const TranscriptionOptions& options) {
  if (!encodes_short(runner, options)) return false;
  return options.encoder_window == EncoderWindow::shortened || !options.without_timestamps;
}

}  // namespace

bool encodes_short(const Runner& runner, const TranscriptionOptions& options) {
  const ShortWindows can = runner.short_windows();
  if (options.encoder_window == EncoderWindow::shortened) return can != ShortWindows::unsupported;
  return options.encoder_window == EncoderWindow::automatic && can == ShortWindows::by_default;
}

WindowEncoder::WindowEncoder(Runner& runner, const MelSpool& spool,
                             const TranscriptionOptions& options)
    : runner_(runner), spool_(spool), shortens_(shortens(runner, options)) {}

Result<EncodedWindow> WindowEncoder::hear(const Clip& clip) {
  if (kept_ && kept_->clip == clip) return kept_->window;
  kept_.reset();
  auto mel = spool_.read_window(clip.begin, static_cast<int>(clip.end - clip.begin));
  if (!mel) return mel.error();
  if (shortens_) mel->frames = static_cast<int>(clip.end - clip.begin);
  auto window = runner_.encode(*std::move(mel));
  if (window) kept_ = Kept{clip, *window};
  return window;
}

Result<EncodedWindow> WindowEncoder::take(const Clip& clip) {
  auto window = hear(clip);
  kept_.reset();
  return window;
}

Result<EncodedWindow> WindowEncoder::take_full(const Clip& clip) {
  auto mel = spool_.read_window(clip.begin, static_cast<int>(clip.end - clip.begin));
  if (!mel) return mel.error();
  return runner_.encode_again(*std::move(mel));
}

}  // namespace engine
