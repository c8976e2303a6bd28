#include "engine/whisper/transcriber/live_language.h"

namespace engine {

bool LiveLanguage::hear(const protocol::LanguageDetected& detected, double voiced_s) {
  constexpr double sure_above = 0.8;
  constexpr double least_s = 1.5;
  constexpr double latest_s = 5;
  latest_ = detected;
  if (!settled_.empty()) return false;
  const double voiced = earlier_s_ + voiced_s;
  const bool sure = detected.probability > sure_above && voiced >= least_s;
  if (!sure && voiced < latest_s) return false;
  settled_ = detected.language;
  return true;
}

}  // namespace engine
