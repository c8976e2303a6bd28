#pragma once

#include "server/base/error.h"
#include "server/jobs_postgres/connection.h"

namespace server::postgres {

// Returns the error that a failure means: database_unavailable, answer_lost, store_busy,
// out_of_disk, or internal. Clients may see it, so it has neither the database's address nor a
// statement.
Error error_of(const Failure& failure);

// Returns the same for the operator who starts scribed, with what libpq says. The error is
// bad_config where the address cannot be read.
Error opening_error_of(const Failure& failure);

}  // namespace server::postgres
