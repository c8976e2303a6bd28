#include "server/jobs_postgres/turns.h"

#include <fmt/format.h>

namespace server::postgres {
namespace {

// Each statement sees what was committed before it. So the lines are locked first, but for those
// that a node which comes back has locked; the second statement knows the nodes that have come
// until then, and those that come later wait for it, and make their line anew.
void forget_lines(Step& step) {
  constexpr char is_forgotten[] =
      "place NOT IN ('', '+', '*') AND place NOT IN (SELECT name FROM nodes)";
  const auto locked = step.query(
      fmt::format("SELECT array_agg(place)::text AS places FROM (SELECT place FROM lines WHERE {} "
                  "FOR UPDATE SKIP LOCKED) AS forgotten",
                  is_forgotten));
  if (locked[0].is_null("places")) return;
  step.query(fmt::format("DELETE FROM lines WHERE place = ANY ($1::text[]) AND {}", is_forgotten),
             locked[0].text("places"));
}

}  // namespace

double take_turn(Step& step, const std::string& place, const std::string& owner, double cost) {
  const auto taken = step.query(
      "INSERT INTO owners AS known (place, owner, finish) VALUES ($1, $2, "
      "coalesce((SELECT reached FROM lines WHERE lines.place = $1), 0) + $3::float8) "
      "ON CONFLICT (place, owner) DO UPDATE SET finish = greatest(known.finish + $3::float8, "
      "excluded.finish) RETURNING finish - $3::float8 AS turn",
      place, owner, cost);
  return taken[0].real("turn");
}

double turn_reached(Step& step, const std::string& place) {
  const auto rows = step.query("SELECT reached FROM lines WHERE place = $1", place);
  return rows.empty() ? 0 : rows[0].real("reached");
}

void give_turn_back(Step& step, std::int64_t number) {
  step.query(
      "UPDATE owners SET finish = finish - jobs.cost FROM jobs WHERE jobs.number = $1 "
      "AND jobs.state = 0 AND jobs.started = 0 AND owners.place = jobs.place "
      "AND owners.owner = jobs.owner",
      number);
}

void give_turns_back(Step& step, const std::string& condition) {
  step.query(fmt::format(
      "WITH back AS (SELECT place, owner, sum(cost) AS cost FROM jobs WHERE {} AND state = 0 "
      "AND started = 0 GROUP BY place, owner) UPDATE owners SET finish = finish - back.cost "
      "FROM back WHERE owners.place = back.place AND owners.owner = back.owner",
      condition));
}

// A line that is there is locked, so that nobody forgets it before this node is committed.
void add_line(Step& step, const std::string& place) {
  step.query(
      "INSERT INTO lines (place) VALUES ($1) ON CONFLICT (place) DO UPDATE SET reached = "
      "lines.reached",
      place);
}

// A submit that goes on at the moment has locked its owner's row, and is not waited for.
void forget_past_turns(Step& step) {
  step.query(
      "WITH past AS MATERIALIZED (SELECT owners.place, owners.owner FROM owners LEFT JOIN lines "
      "USING (place) WHERE lines.place IS NULL OR owners.finish <= lines.reached "
      "LIMIT 200 FOR UPDATE OF owners SKIP LOCKED) "
      "DELETE FROM owners USING past WHERE owners.place = past.place AND owners.owner = "
      "past.owner");
  forget_lines(step);
}

}  // namespace server::postgres
