#pragma once

#include "server/jobs_postgres/postgres_job_store.h"
#include "server/jobs_postgres/session.h"

namespace server::postgres {

// See check_job_database(). Throws Failure.
JobDatabaseState read_database_state(Step& step);

}  // namespace server::postgres
