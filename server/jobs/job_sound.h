#pragma once

#include <optional>

#include "server/inputs/sound_store.h"
#include "server/jobs/job.h"

namespace server {

// Begins to keep the sound of a job that is about to be transcribed, for as long as there is the
// job. Returns nothing where nobody has to write it: its client waits and nobody finds the job
// later, only the language is wanted, or the sound is there already, from an earlier attempt or
// because the recording is such sound itself.
std::optional<SoundWriter> begin_job_sound(const SoundStore& sounds, const Job& job);

}  // namespace server
