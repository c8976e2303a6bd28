#include "server/jobs/job_limits.h"

#include <fmt/format.h>

#include <limits>

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
          "Try again when some of them are finished."};
}

Error all_sound_is_held(std::int64_t seconds) {
  return {
      errc::too_much_sound,
      fmt::format("Your unfinished transcriptions reserve the rest of the {} per day of your key",
                  counted(static_cast<std::uint64_t>(seconds), "second")),
      "Try again when some of them are finished, or after midnight UTC."};
}

Result<void> check_open_jobs(int open, const OwnerLimits& limits) {
  if (limits.open_jobs && open >= *limits.open_jobs) return too_many_jobs(open, "wait or run");
  return {};
}

Result<void> check_sound(const OwnerUse& use, const OwnerLimits& limits) {
  const auto& sound = limits.sound_seconds_per_day;
  if (!sound) return {};
  const auto most = static_cast<double>(*sound);
  if (use.sound_seconds >= most) return too_much_sound(*sound);
  if (use.sound_seconds + use.held_seconds >= most) return all_sound_is_held(*sound);
  return {};
}

const OwnerLimits* limits_of(const JobLimits& limits, const std::string& owner) {
  const auto found = limits.of_owner.find(owner);
  return found == limits.of_owner.end() ? nullptr : &found->second;
}

}  // namespace

Error too_much_sound(std::int64_t seconds) {
  return {errc::too_much_sound,
          fmt::format("The {} of audio per day of your key {} used up",
                      counted(static_cast<std::uint64_t>(seconds), "second"),
                      seconds == 1 ? "is" : "are"),
          "Try again after midnight UTC."};
}

// The session of a live job has been admitted by check_live_limits().
Result<void> check_limits(const QueueUse& use, const std::string& owner, bool is_live,
                          const JobLimits& limits) {
  if (limits.is_draining) return draining();
  if (limits.no_room) return *limits.no_room;
  if (is_live) return {};
  if (use.waiting >= limits.max_waiting) return queue_full(use.waiting);
  if (use.waiting_of_owner >= limits.max_waiting_per_owner) {
    return too_many_jobs(use.waiting_of_owner, "are waiting");
  }
  const OwnerLimits* own = limits_of(limits, owner);
  if (!own) return {};
  const auto fits = check_open_jobs(use.owner.open_jobs + limits.live_sessions, *own);
  return fits ? check_sound(use.owner, *own) : fits;
}

Result<void> check_live_limits(const OwnerUse& use, const std::string& owner,
                               const JobLimits& limits) {
  const OwnerLimits* own = limits_of(limits, owner);
  if (!own) return {};
  const auto fits = check_open_jobs(use.open_jobs + limits.live_sessions - 1, *own);
  return fits ? check_sound(use, *own) : fits;
}

Result<bool> check_begin(const OwnerUse& use, const std::string& owner, std::int64_t job,
                         const JobLimits& limits) {
  const OwnerLimits* own = limits_of(limits, owner);
  if (!own || !own->sound_seconds_per_day) return true;
  const auto fits = check_sound(use, *own);
  if (!fits) return fits.error();
  return use.first_unmeasured == 0 || use.first_unmeasured >= job;
}

double sound_left(const OwnerUse& use, const std::string& owner, const JobLimits& limits) {
  const OwnerLimits* own = limits_of(limits, owner);
  if (!own || !own->sound_seconds_per_day) return std::numeric_limits<double>::infinity();
  return static_cast<double>(*own->sound_seconds_per_day) - use.sound_seconds - use.held_seconds;
}

bool limits_use_of(const JobLimits& limits, const std::string& owner) {
  const OwnerLimits* own = limits_of(limits, owner);
  return own && (own->open_jobs || own->sound_seconds_per_day);
}

void count_sound_of(JobStore& store, const Job& job, const JobLimits& limits) {
  const OwnerLimits* own = limits_of(limits, job.request.owner);
  if (job.request.live || !own || !own->sound_seconds_per_day) return;
  const double seconds = job.state == JobState::done ? job.duration : job.position;
  if (seconds > 0) static_cast<void>(store.add_sound(job.request.owner, seconds));
}

}  // namespace server
