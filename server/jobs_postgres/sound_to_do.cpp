#include "server/jobs_postgres/sound_to_do.h"

namespace server::postgres {

// Jobs that ended lately are those whose result is kept longest: the index of expiries finds them.
std::map<std::string, double> read_sound_to_do(Step& step) {
  const auto rows = step.query(
      "WITH ended AS (SELECT duration FROM jobs WHERE expires > 0 ORDER BY expires DESC LIMIT "
      "200), "
      "usual AS (SELECT coalesce(avg(duration), 60) AS seconds FROM ended WHERE duration > 0) "
      "SELECT model, sum(greatest(0, CASE WHEN duration > 0 THEN duration ELSE usual.seconds END "
      "- position)) AS seconds FROM jobs CROSS JOIN usual "
      "WHERE state <= 1 AND NOT live GROUP BY model");
  std::map<std::string, double> seconds;
  for (int i = 0; i < rows.size(); ++i) seconds[rows[i].text("model")] = rows[i].real("seconds");
  return seconds;
}

}  // namespace server::postgres
