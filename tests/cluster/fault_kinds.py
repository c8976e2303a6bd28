"""What each kind of fault does to a cluster, and how it is undone."""

import contextlib
import signal
import time

KILLERS_PAUSE_S = 0.2
MOST_LATENCY_MS = 800
MOST_CLOCK_S = 600  # a bucket refuses signatures that are more than 15 minutes off


class FaultKinds:
    """Each function makes a fault and returns what undoes it."""

    def __init__(self, cluster, clocks=None):
        self.cluster, self.clocks = cluster, clocks

    def begin(self, fault):
        return getattr(self, fault.kind)(fault)

    def _node(self, fault):
        return self.cluster.nodes[fault.target]

    def kill(self, fault):
        node = self._node(fault)
        node.kill()
        return node.start

    def terminate(self, fault):
        node = self._node(fault)
        node.terminate()
        return node.start

    def pause(self, fault):
        node = self._node(fault)
        node.signal(signal.SIGSTOP)
        return lambda: node.signal(signal.SIGCONT)

    def clock(self, fault):
        self.clocks.jump(fault.target, (2 * fault.size - 1) * MOST_CLOCK_S)
        return lambda: self.clocks.jump(fault.target, 0)

    def disk_full(self, fault):
        ballast = self._node(fault).state / "ballast"
        with contextlib.suppress(OSError), open(ballast, "wb", buffering=0) as file:
            while True:
                file.write(bytes(1 << 16))
        return lambda: ballast.unlink(missing_ok=True)

    def _hinder(self, ways, toxic, **attributes):
        for way in ways:
            self.cluster.proxy.hinder(way, toxic, **attributes)

        def undo():
            for way in ways:
                self.cluster.proxy.free(way, toxic)
        return undo

    def _all_ways(self, service):
        return [self.cluster.way(node, service) for node in self.cluster.nodes]

    def silence(self, fault):
        return self._hinder([fault.target], "timeout", timeout=0)

    def latency(self, fault):
        return self._hinder([fault.target], "latency", latency=int(fault.size * MOST_LATENCY_MS),
                            jitter=50)

    def reset(self, fault):
        return self._hinder([fault.target], "reset_peer", timeout=int(fault.size * 500))

    def silence_database(self, _):
        return self._hinder(self._all_ways("database"), "timeout", timeout=0)

    def silence_bucket(self, _):
        return self._hinder(self._all_ways("bucket"), "timeout", timeout=0)

    def terminate_backends(self, fault):
        """Again and again, so that some are lost in the middle of a transaction."""
        until = time.monotonic() + fault.seconds
        while time.monotonic() < until:
            self.cluster.rows("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE "
                              "pid <> pg_backend_pid() AND backend_type = 'client backend'")
            time.sleep(KILLERS_PAUSE_S)
        return lambda: None

    def restart_database(self, _):
        self.cluster.postgres.stop()
        return self.cluster.start_database

    def crash_database(self, _):
        self.cluster.crash_database()
        return self.cluster.start_database

    def stop_bucket(self, _):
        self.cluster.bucket.stop()
        return self.cluster.bucket.start

    def pause_bucket(self, _):
        self.cluster.bucket.signal(signal.SIGSTOP)
        return lambda: self.cluster.bucket.signal(signal.SIGCONT)


def node_name(node):
    """What a node calls itself in the database; None before its first start."""
    try:
        return (node.state / "node").read_text(encoding="utf-8").strip()
    except OSError:
        return None

