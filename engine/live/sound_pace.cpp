#include "engine/live/sound_pace.h"

#include <algorithm>

#include "engine/audio/sample_rate.h"

namespace engine {

void SoundPace::came(std::int64_t samples, Time now) {
  constexpr double allowed_s = 2;
  constexpr double forgiving = 1.25;
  const double passed_s = std::chrono::duration<double>(now - last_.value_or(now)).count();
  const double came_s = static_cast<double>(samples) / sample_rate_hz;
  last_ = now;
  due_s_ = std::min(came_s, due_s_ + forgiving * passed_s);
  is_ahead_ = came_s - due_s_ > allowed_s;
}

}  // namespace engine
