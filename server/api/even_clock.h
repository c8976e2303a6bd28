#pragma once

#include <chrono>
#include <functional>

namespace server {

// Returns a clock in seconds since 1970, as the system has them now. It goes on evenly when
// somebody sets the system's clock, so that what is measured by it lasts as long as it should.
inline std::function<double()> even_clock() {
  using std::chrono::duration;
  using std::chrono::steady_clock;
  const duration<double> wall = std::chrono::system_clock::now().time_since_epoch();
  return [wall, begun = steady_clock::now()] {
    return (wall + duration<double>(steady_clock::now() - begun)).count();
  };
}

}  // namespace server
