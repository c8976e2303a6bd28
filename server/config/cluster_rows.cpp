#include "server/config/cluster_rows.h"

namespace server {

std::vector<Setting> cluster_rows() {
  return {
      {.key = "cluster.database",
       .place = [](Config& c) -> Place { return &c.cluster.database; },
       .help = "PostgreSQL database of the jobs, which several daemons share: "
               "postgres://scribed@db.example.org/scribed. The password is better kept in the file "
               "that PGPASSFILE names. Nothing: the jobs are in the folder jobs.state_folder.",
       .environment = "SCRIBED_DATABASE",
       .is_secret = true},
      {.key = "cluster.inputs",
       .place = [](Config& c) -> Place { return &c.cluster.inputs; },
       .help = "Folder for the recordings of jobs in cluster.database, which all daemons see and "
               "may write."},
      {.key = "cluster.lease_s",
       .place = [](Config& c) -> Place { return &c.cluster.lease_s; },
       .help = "How long others wait for a daemon that says nothing before they go on with its "
               "jobs.",
       .min = 3,
       .max = 600},
      {.key = "cluster.role",
       .place = [](Config& c) -> Place { return &c.cluster.role; },
       .help = "What this daemon does with the jobs in cluster.database: a gateway accepts them "
               "and answers, without a model; a worker transcribes them, and serves /livez, "
               "/readyz and /metrics alone.",
       .choices = {"both", "gateway", "worker"}},
  };
}

}  // namespace server
