#!/usr/bin/env python3
"""What daemons without work ask of their database: transactions and statements a second of one
daemon of each role, and of several, by PostgreSQL's own counts (pg_stat_statements). Prints JSON.

  idle_daemons.py [--seconds S] [--nodes N]
"""

import argparse
import json
import pathlib
import sys
import time

sys.path[0] = str(pathlib.Path(__file__).resolve().parents[1])

# pylint: disable=wrong-import-position
from cluster.cluster_under_test import Cluster

LEASE_S = 15  # what daemons have unless they are told otherwise
SETTLED_S = 8
SHOWN = 12
FRAME = ("BEGIN", "COMMIT", "ROLLBACK", "SET", "SELECT set_config")


def watch(cluster):
    """Has PostgreSQL count statements."""
    cluster.postgres.ask("ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'")
    cluster.postgres.stop()
    cluster.postgres.start()
    cluster.postgres.ask("CREATE EXTENSION pg_stat_statements")


def statements(cluster, seconds):
    """Text → calls a second."""
    cluster.postgres.ask("SELECT pg_stat_statements_reset()")
    time.sleep(seconds)
    rows = cluster.rows("SELECT query, sum(calls) AS calls, sum(total_exec_time) AS ms FROM "
                        "pg_stat_statements WHERE query NOT LIKE '%pg_stat_statements%' "
                        "GROUP BY query ORDER BY 2 DESC")
    return [(row["query"], row["calls"] / seconds, row["ms"] / seconds) for row in rows]


def measure(roles, seconds):
    cluster = Cluster(roles, lease_s=LEASE_S)
    try:
        watch(cluster)
        cluster.start()
        time.sleep(SETTLED_S)
        found = statements(cluster, seconds)
        work = [row for row in found if not row[0].startswith(FRAME)]
        return {"roles": roles,
                "transactions_s": round(sum(row[1] for row in found if row[0] == "COMMIT"), 2),
                "statements_s": round(sum(row[1] for row in found), 2),
                "without_frame_s": round(sum(row[1] for row in work), 2),
                "server_ms_s": round(sum(row[2] for row in found), 2),
                "most_often": {" ".join(query.split())[:100]: round(calls, 2)
                               for query, calls, _ in work[:SHOWN]}}
    finally:
        cluster.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--nodes", type=int, default=4, help="of the last figure, all workers")
    given = parser.parse_args()
    cases = [{"one": role} for role in ("gateway", "worker", "both")]
    cases.append({f"worker-{n}": "worker" for n in range(given.nodes)})
    print(json.dumps([measure(roles, given.seconds) for roles in cases], indent=1))


if __name__ == "__main__":
    main()
