#include "engine/whisper/transcriber/window_encoder.h"

#include <utility>

namespace engine {

Result<EncodedWindow> WindowEncoder::hear(const Clip& clip) {
  if (kept_ && kept_->clip == clip) return kept_->window;
  kept_.reset();
  auto mel = spool_.read_window(clip.begin, static_cast<int>(clip.end - clip.begin));
  if (!mel) return mel.error();
  auto window = runner_.encode(*std::move(mel));
  if (window) kept_ = Kept{clip, *window};
  return window;
}

Result<EncodedWindow> WindowEncoder::take(const Clip& clip) {
  auto window = hear(clip);
  kept_.reset();
  return window;
}

}  // namespace engine
