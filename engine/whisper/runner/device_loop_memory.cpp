#include <algorithm>
#include <utility>

#include "engine/whisper/runner/device_loop.h"

// This file says which decode ends where memory has run out, so that the others go on.
namespace engine {

bool DeviceLoop::make_room(int rows) {
  Error lack = model_->error_of_exception();
  if (lack.code != Errc::out_of_memory || !model_->may_try_again()) return false;
  if (model_->release_idle()) return true;
  // Of several with as many rows it is the one that is last in turn.
  const auto largest =
      std::max_element(live_.rbegin(), live_.rend(), [](const LivePtr& one, const LivePtr& other) {
        return rows_of(one->work) < rows_of(other->work);
      });
  if (largest == live_.rend() || rows_of((*largest)->work) <= rows) return false;
  (*largest)->answer(std::move(lack));
  forget_answered();
  model_->release_idle();
  return true;
}

}  // namespace engine
