#include "engine/transcriber/window_encoder.h"

#include <utility>

namespace engine {

Result<EncodedWindow> WindowEncoder::hear(const Clip& clip) {
  if (kept_ && kept_->clip == clip) return kept_->window;
  auto window = encode(clip);
  if (window && !kept_) kept_ = Kept{clip, *window};
  return window;
}

Result<EncodedWindow> WindowEncoder::take(const Clip& clip) {
  const auto kept = std::exchange(kept_, std::nullopt);
  return kept && kept->clip == clip ? kept->window : encode(clip);
}

Result<EncodedWindow> WindowEncoder::encode(const Clip& clip) {
  const auto mel = spool_.read_window(clip.begin, static_cast<int>(clip.end - clip.begin));
  if (!mel) return mel.error();
  return runner_.encode(*mel);
}

}  // namespace engine
