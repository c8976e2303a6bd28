"""Daemons that share a database, and a bucket of S3 for recordings in place of a folder."""

import uuid

from cluster_daemons import ClusterDaemonsTest
from s3_server import KEY, SECRET, S3Server


class ClusterBucketTest(ClusterDaemonsTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.s3 = S3Server()
        cls.addClassCleanup(cls.s3.end)

    def setUp(self):
        super().setUp()
        self.environment.update(AWS_ACCESS_KEY_ID=KEY, AWS_SECRET_ACCESS_KEY=SECRET)
        self.prefix = uuid.uuid4().hex

    def recordings_options(self):
        return ("--objects", f"s3://recordings/{self.prefix}",
                "--set", f"cluster.objects_endpoint={self.s3.address}")

    def names(self, folder):
        """The objects below the prefix that are in this folder."""
        return [name for name in self.s3.names() if name.startswith(f"{self.prefix}/{folder}/")]
