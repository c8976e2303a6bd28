#include "server/jobs_postgres/postgres_job_store.h"
#include "server/jobs_postgres/schema.h"
#include "server/jobs_postgres/session.h"
#include "server/jobs_postgres/store_error.h"

namespace server {
namespace {

using postgres::Failure;
using postgres::Session;
using postgres::Step;

JobDatabaseState read_database_state(Step& step) {
  const auto schema = postgres::read_schema_state(step);
  JobDatabaseState state{.version = schema.version, .wanted = postgres::schema_version};
  state.is_usable = postgres::check_schema(schema).has_value();
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

Session session_of(const PostgresStoreSettings& settings) {
  return Session({.address = settings.address, .schema = settings.schema});
}

}  // namespace

Result<JobDatabaseState> check_job_database(const PostgresStoreSettings& settings) {
  try {
    Session session = session_of(settings);
    return session.transact(read_database_state);
  } catch (const Failure& failure) {
    return postgres::opening_error_of(failure);
  }
}

Result<void> migrate_job_database(const PostgresStoreSettings& settings) {
  try {
    Session session = session_of(settings);
    const auto prepared = postgres::prepare_schema(session, postgres::Migration::wanted);
    if (!prepared) return prepared.error();
    return {};
  } catch (const Failure& failure) {
    return postgres::opening_error_of(failure);
  }
}

}  // namespace server
