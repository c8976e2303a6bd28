"""Rule 8 a day later: what a bucket has when everything was swept that is nobody's. Pure functions of
a state."""

import json

from cluster.breach import Breach
from cluster.rules_of_jobs import DONE


def bucket_is_as_the_database_says(state, waited):
    """No object without a row, no row without an object; and the jobs that waited over the day were
    done all the same. `waited` has the row of each, or None."""
    for name in sorted(state.without_row):
        yield Breach(8, name, "is in the bucket, and belongs to nothing")
    for name in sorted(state.without_object):
        yield Breach(8, name, "is wanted, and not in the bucket")
    for job, row in waited.items():
        if row is None:
            yield Breach(8, job, "waited over the day and is gone")
        elif row["state"] != DONE:
            code = json.loads(row["error"]).get("code") if row["error"] else None
            yield Breach(8, job, f"waited over the day and is {row['state']} ({code})")
