#include "server/config/cluster_rows.h"

namespace server {

std::vector<Setting> cluster_rows() {
  return {
      {.key = "cluster.database",
       .place = [](Config& c) -> Place { return &c.cluster.database; },
       .help = "PostgreSQL database that several daemons share: "
               "postgres://scribed@db.example.org/scribed. Put the password into the file that "
               "PGPASSFILE names. Empty: jobs are in jobs.state_folder.",
       .environment = "SCRIBED_DATABASE",
       .is_secret = true},
      {.key = "cluster.inputs",
       .place = [](Config& c) -> Place { return &c.cluster.inputs; },
       .help = "Folder for recordings that all daemons can write, if cluster.database is set; or "
               "use cluster.objects."},
      {.key = "cluster.objects",
       .place = [](Config& c) -> Place { return &c.cluster.objects; },
       .help = "S3 bucket for recordings instead of a folder: s3://bucket/prefix. Use each prefix "
               "with one database only."},
      {.key = "cluster.objects_endpoint",
       .place = [](Config& c) -> Place { return &c.cluster.objects_endpoint; },
       .help = "Endpoint of the bucket: https://s3.example.org. Empty: Amazon's endpoint of the "
               "region."},
      {.key = "cluster.objects_region",
       .place = [](Config& c) -> Place { return &c.cluster.objects_region; },
       .help = "Region of the bucket."},
      {.key = "cluster.objects_keys",
       .place = [](Config& c) -> Place { return &c.cluster.objects_keys; },
       .help = "AWS credentials file, instead of the environment variables. It is read again "
               "whenever keys are needed.",
       .environment = "AWS_SHARED_CREDENTIALS_FILE"},
      {.key = "cluster.objects_key_id",
       .place = [](Config& c) -> Place { return &c.cluster.objects_key_id; },
       .help = "Access key id of the bucket.",
       .environment = "AWS_ACCESS_KEY_ID",
       .is_secret = true},
      {.key = "cluster.objects_secret",
       .place = [](Config& c) -> Place { return &c.cluster.objects_secret; },
       .help = "Secret access key of the bucket.",
       .environment = "AWS_SECRET_ACCESS_KEY",
       .is_secret = true},
      {.key = "cluster.objects_session_token",
       .place = [](Config& c) -> Place { return &c.cluster.objects_session_token; },
       .help = "Session token of temporary credentials.",
       .environment = "AWS_SESSION_TOKEN",
       .is_secret = true},
      {.key = "cluster.lease_s",
       .place = [](Config& c) -> Place { return &c.cluster.lease_s; },
       .help = "Lease in seconds: if a daemon does not renew it, other daemons take over its jobs.",
       .min = 3,
       .max = 600},
      {.key = "cluster.role",
       .place = [](Config& c) -> Place { return &c.cluster.role; },
       .help = "Role in the cluster: a gateway serves clients and loads no model; a worker "
               "transcribes, and serves only /livez, /readyz and /metrics.",
       .choices = {"both", "gateway", "worker"}},
  };
}

}  // namespace server
