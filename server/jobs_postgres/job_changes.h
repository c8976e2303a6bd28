#pragma once

#include <string>

#include "server/jobs_postgres/postgres_job_store.h"
#include "server/jobs_postgres/session.h"

// What people change of jobs. These functions throw Failure.
namespace server::postgres {

// Finds and locks a job that a person changes: nobody needs to wait for it from then on, so it is
// kept. The error is job_not_found.
Result<Job> job_to_change(Step& step, const std::string& id, const std::string& owner);

struct JobOfOwner {
  std::string id{};
  std::string owner{};
};

// See JobStore::change().
Result<Job> change_job(Step& step, const PostgresStoreSettings& settings, const JobOfOwner& whose,
                       const JobChange& change);

// See JobStore::remove(). An edit that is being written locks the job, and is not waited for.
void remove_job(Step& step, const std::string& id);

// See JobStore::set_speaker_names() and detach().
void write_names(Step& step, const std::string& id, const protocol::SpeakerNames& names);
void write_detached(Step& step, const std::string& id);

}  // namespace server::postgres
