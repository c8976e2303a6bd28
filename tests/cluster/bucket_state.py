"""What is in the bucket and what the database says of it, and the names of what has to be there."""

import dataclasses

ROWS = {
    "waiting": "SELECT substr(request::json->>'input', 8) AS name FROM scribed.jobs "
               "WHERE state <= 1 AND request::json->>'input' LIKE 'object:%'",
    "sounds": "SELECT id AS name FROM scribed.jobs WHERE sound_bytes > 0",
    # Those that are whole, and parts of others.
    "uploads": "SELECT id AS name FROM scribed.upload_parts UNION SELECT id FROM scribed.uploads "
               "WHERE received = bytes AND id NOT IN (SELECT upload FROM scribed.upload_parts)",
}


@dataclasses.dataclass
class BucketState:
    objects: set  # their names, below the prefix
    waiting: set  # the recordings of jobs that have not ended
    sounds: set  # jobs whose sound is kept
    uploads: set
    young: set  # objects that may belong to something which comes yet

    @property
    def wanted(self):
        sounds = {f"sounds/{job}{end}" for job in self.sounds for end in ("", ".peaks")}
        return self.waiting | sounds | {f"uploads/{upload}" for upload in self.uploads}

    @property
    def without_row(self):
        return self.objects - self.wanted - self.young

    @property
    def without_object(self):
        return (self.wanted | self.young) - self.objects


def read_bucket_state(cluster, young=frozenset()):
    """None where the database is away."""
    rows = {name: cluster.rows(sql) for name, sql in ROWS.items()}
    if None in rows.values():
        return None
    return BucketState(objects={name.partition("/")[2] for name in cluster.bucket.names()},
                       young=set(young), **{name: {row["name"] for row in some}
                                            for name, some in rows.items()})
