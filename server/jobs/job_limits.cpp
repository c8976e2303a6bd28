#include "server/jobs/job_limits.h"

#include <fmt/format.h>

#include "server/base/counted.h"
#include "server/jobs/job_store.h"

namespace server {
namespace {

Error queue_full(int waiting) {
  return {errc::queue_full,
          fmt::format("{} {} waiting already",
                      counted(static_cast<std::uint64_t>(waiting), "transcription"),
                      waiting == 1 ? "is" : "are"),
          "Try again in a while."};
}

Error too_many_jobs(int jobs, const char* what) {
  return {errc::too_many_jobs, fmt::format("{} of your transcriptions {} already", jobs, what),
          "Try again when some of them have ended."};
}

Error too_much_sound(std::int64_t seconds) {
  return {errc::too_much_sound,
          fmt::format("The {} of sound that your key may have in a day {} used up",
                      counted(static_cast<std::uint64_t>(seconds), "second"),
                      seconds == 1 ? "is" : "are"),
          "Try again after midnight UTC."};
}

Error all_sound_is_held(std::int64_t seconds) {
  return {errc::too_much_sound,
          fmt::format("Your transcriptions that have not ended hold what is left of the {} that "
                      "your key may have in a day",
                      counted(static_cast<std::uint64_t>(seconds), "second")),
          "Try again when some of them have ended, for what they did not need, or after midnight "
          "UTC."};
}

Result<void> check_owner(const OwnerUse& use, const OwnerLimits& limits) {
  if (limits.open_jobs && use.open_jobs >= *limits.open_jobs) {
    return too_many_jobs(use.open_jobs, "wait or run");
  }
  const auto& sound = limits.sound_seconds_per_day;
  if (!sound) return {};
  const auto most = static_cast<double>(*sound);
  if (use.sound_seconds >= most) return too_much_sound(*sound);
  if (use.sound_seconds + use.held_seconds >= most) return all_sound_is_held(*sound);
  return {};
}

}  // namespace

Result<void> check_limits(const QueueUse& use, const std::string& owner, bool is_live,
                          const JobLimits& limits) {
  if (limits.is_draining) return draining();
  if (limits.no_room) return *limits.no_room;
  if (!is_live && use.waiting >= limits.max_waiting) return queue_full(use.waiting);
  if (!is_live && use.waiting_of_owner >= limits.max_waiting_per_owner) {
    return too_many_jobs(use.waiting_of_owner, "are waiting");
  }
  const auto found = limits.of_owner.find(owner);
  return found == limits.of_owner.end() ? Result<void>() : check_owner(use.owner, found->second);
}

bool limits_use_of(const JobLimits& limits, const std::string& owner) {
  const auto own = limits.of_owner.find(owner);
  return own != limits.of_owner.end() &&
         (own->second.open_jobs || own->second.sound_seconds_per_day);
}

void count_sound_of(JobStore& store, const Job& job, const JobLimits& limits) {
  const auto found = limits.of_owner.find(job.request.owner);
  if (found == limits.of_owner.end() || !found->second.sound_seconds_per_day) return;
  const double seconds = job.state == JobState::done ? job.duration : job.position;
  if (seconds > 0) static_cast<void>(store.add_sound(job.request.owner, seconds));
}

}  // namespace server
