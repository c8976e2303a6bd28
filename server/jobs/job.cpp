#include "server/jobs/job.h"

namespace server {

const char* name(JobState state) {
  switch (state) {
    case JobState::queued:
      return "queued";
    case JobState::running:
      return "running";
    case JobState::done:
      return "done";
    case JobState::failed:
      return "failed";
    case JobState::cancelled:
      break;
  }
  return "cancelled";
}

bool has_ended(JobState state) {
  return state != JobState::queued && state != JobState::running;
}

}  // namespace server
