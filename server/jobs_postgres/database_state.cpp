#include "server/jobs_postgres/database_state.h"

#include "server/jobs_postgres/schema.h"

namespace server::postgres {

JobDatabaseState read_database_state(Step& step) {
  const auto schema = read_schema_state(step);
  JobDatabaseState state{.version = schema.version, .wanted = schema_version};
  state.is_usable = check_schema(schema).has_value();
  // A transaction that stays open keeps dead rows in the tables, which makes each claim slower.
  const auto server = step.query(
      "SELECT current_setting('server_version') AS version, coalesce((SELECT extract(epoch FROM "
      "max(now() - xact_start)) FROM pg_stat_activity WHERE datname = current_database() "
      "AND pid <> pg_backend_pid()), 0) AS oldest");
  state.server = server[0].text("version");
  state.oldest_transaction_s = server[0].real("oldest");
  if (!state.is_usable) return state;
  const auto counts = step.query(
      "SELECT (SELECT count(*) FROM nodes WHERE lease_until > scribed_now()) AS nodes, "
      "(SELECT count(*) FROM jobs WHERE state = 0) AS waiting, "
      "(SELECT count(*) FROM jobs WHERE state = 1) AS running");
  state.nodes = static_cast<int>(counts[0].integer("nodes"));
  state.waiting = counts[0].integer("waiting");
  state.running = counts[0].integer("running");
  return state;
}

}  // namespace server::postgres
