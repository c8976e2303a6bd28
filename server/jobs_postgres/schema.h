#pragma once

#include "server/base/error.h"
#include "server/jobs_postgres/session.h"

// The tables and their versions (README.md).
namespace server::postgres {

// The version of the tables that this scribed knows, and the oldest scribed that may use them, by
// the version that it knows.
inline constexpr int schema_version = 7;
inline constexpr int schema_min_reader = 1;

struct SchemaState {
  int version = 0;  // 0: there are no tables
  int min_reader = 0;
};

// What the database has. Throws Failure.
SchemaState read_schema_state(Step& step);

// Succeeds if this scribed can work with such tables. Errors: newer_store, outdated_store.
Result<void> check_schema(const SchemaState& state);

enum class Migration { where_empty, wanted };

// Makes the tables, or brings them up to date where that is wanted, in one transaction that others
// wait for. Errors: those of check_schema(); bad_config for an encoding other than UTF-8. Throws
// Failure.
Result<SchemaState> prepare_schema(Session& session, Migration migration);

}  // namespace server::postgres
