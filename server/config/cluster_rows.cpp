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
               "may write; or cluster.objects."},
      {.key = "cluster.objects",
       .place = [](Config& c) -> Place { return &c.cluster.objects; },
       .help = "Bucket for the recordings of jobs in cluster.database, in place of a folder: "
               "s3://bucket/prefix. A prefix belongs to one database."},
      {.key = "cluster.objects_endpoint",
       .place = [](Config& c) -> Place { return &c.cluster.objects_endpoint; },
       .help = "Server of the bucket: https://s3.example.org. Nothing: Amazon's of the region."},
      {.key = "cluster.objects_region",
       .place = [](Config& c) -> Place { return &c.cluster.objects_region; },
       .help = "Region of the bucket."},
      {.key = "cluster.objects_keys",
       .place = [](Config& c) -> Place { return &c.cluster.objects_keys; },
       .help = "File with the keys of the bucket, as Amazon's programs have it, in place of those "
               "of the environment. It is read again whenever keys are needed.",
       .environment = "AWS_SHARED_CREDENTIALS_FILE"},
      {.key = "cluster.objects_key_id",
       .place = [](Config& c) -> Place { return &c.cluster.objects_key_id; },
       .help = "Name of the bucket's key.",
       .environment = "AWS_ACCESS_KEY_ID",
       .is_secret = true},
      {.key = "cluster.objects_secret",
       .place = [](Config& c) -> Place { return &c.cluster.objects_secret; },
       .help = "Secret of the bucket's key.",
       .environment = "AWS_SECRET_ACCESS_KEY",
       .is_secret = true},
      {.key = "cluster.objects_session_token",
       .place = [](Config& c) -> Place { return &c.cluster.objects_session_token; },
       .help = "Token of a key that holds for a while.",
       .environment = "AWS_SESSION_TOKEN",
       .is_secret = true},
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
