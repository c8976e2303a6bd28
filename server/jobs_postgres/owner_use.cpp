#include "server/jobs_postgres/owner_use.h"

#include <fmt/format.h>

#include <limits>

#include "server/jobs_postgres/stored_bytes.h"

namespace server::postgres {
namespace {

constexpr char today[] = "floor(scribed_now() / 86400)::int";

// Counts rows up to a limit; without one nobody asks for the number.
int count_up_to(Step& step, const std::string& rows, const std::string& owner, int most) {
  if (most == std::numeric_limits<int>::max()) return 0;
  const auto sql = fmt::format(
      "SELECT count(*) AS count FROM (SELECT 1 FROM jobs WHERE {} "
      "LIMIT $2) AS counted WHERE $1::text IS NOT NULL",
      rows);
  return static_cast<int>(step.query(sql, owner, most)[0].integer("count"));
}

}  // namespace

void lock_owner(Step& step, const std::string& owner) {
  step.query("SELECT pg_advisory_xact_lock(hashtextextended('scribed owner ' || $1::text, 0))",
             owner);
}

OwnerUse owner_use(Step& step, const std::string& owner) {
  OwnerUse use;
  const auto jobs = step.query(
      "SELECT count(*) AS count, coalesce(sum(duration), 0) AS seconds, "
      "coalesce(min(number) FILTER (WHERE state = 1 AND duration = 0), 0) AS unmeasured FROM jobs "
      "WHERE state <= 1 AND owner = $1 AND NOT live",
      owner);
  use.open_jobs = static_cast<int>(jobs[0].integer("count"));
  use.held_seconds = jobs[0].real("seconds");
  use.first_unmeasured = jobs[0].integer("unmeasured");
  const auto sound = step.query(
      fmt::format("SELECT seconds FROM sound WHERE owner = $1 AND day = {}", today), owner);
  if (!sound.empty()) use.sound_seconds = sound[0].real("seconds");
  use.stored_bytes = stored_of_owner(step, owner);
  return use;
}

int count_waiting_jobs(Step& step) {
  const auto rows = step.query("SELECT count(*) AS count FROM jobs WHERE state = 0");
  return static_cast<int>(rows[0].integer("count"));
}

QueueUse queue_use(Step& step, const std::string& owner, const JobLimits& limits) {
  QueueUse use;
  use.waiting = count_up_to(step, "state = 0", owner, limits.max_waiting);
  use.waiting_of_owner =
      count_up_to(step, "state = 0 AND owner = $1", owner, limits.max_waiting_per_owner);
  if (limits_use_of(limits, owner)) use.owner = owner_use(step, owner);
  return use;
}

void count_sound(Step& step, const std::string& owner, double seconds) {
  step.query(fmt::format("INSERT INTO sound VALUES ($1, {}, $2) ON CONFLICT (owner, day) "
                         "DO UPDATE SET seconds = sound.seconds + excluded.seconds",
                         today),
             owner, seconds);
}

void forget_past_days(Step& step) {
  step.query(fmt::format("DELETE FROM sound WHERE day < {}", today));
}

}  // namespace server::postgres
