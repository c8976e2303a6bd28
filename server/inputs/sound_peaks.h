#pragma once

#include <stop_token>
#include <string>

#include "server/inputs/sound_store.h"

namespace server {

inline constexpr int peaks_per_second = 10;

// Returns a byte for each tenth of a second of a job's sound: how loud its loudest sample is, from
// 0 to 255. What was found is kept in a file, so that the next call looks at new sound alone. A
// last tenth that is not complete is told only of whole sound. It reads the disk: call it on a
// thread that may wait. A stop ends it with client_gone, and what it has found is kept. The error
// is no_sound.
Result<std::string> sound_peaks(const SoundStore& sounds, const std::string& job,
                                const std::stop_token& stop = {});

}  // namespace server
