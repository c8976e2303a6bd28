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

protocol::WorkClass work_class_of(const JobRequest& request) {
  using protocol::WorkClass;
  if (request.options.live_chunk) return WorkClass::live;
  return request.detached ? WorkClass::background : WorkClass::interactive;
}

}  // namespace server
