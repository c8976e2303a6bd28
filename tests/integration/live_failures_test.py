"""Live sessions that end badly: clients that break off or do not read, a worker that is killed, limits, and a
daemon that is asked to end. See live_daemon.py for what they need.

  SCRIBED_LIVE_BREAKS   how many sessions break off (default 200)
"""

import concurrent.futures
import os
import pathlib
import random
import signal
import socket
import struct
import time
import unittest

from live_daemon import BUFFER, PATH, TEXT, LiveDaemonTest, Realtime, error_of, sound
from live_test import word_errors, words_of
from scribed_command import TIME_LIMIT, wait_for
from websocket_client import CLOSE, TEXT as TEXT_FRAME, Closed, Refused, WebSocket

BREAKS = int(os.environ.get("SCRIBED_LIVE_BREAKS", "200"))
AT_ONCE = 4
# Bytes that allocators may keep, and stores of windows and of text that the model keeps for the next ones.
MORE_MEMORY = 128e6
SPOKEN = ("en-nogo", "en-thanks", "en-moreinfo", "en-allbusy")


def held(pid):
    """Descriptors, threads and bytes of memory of a process."""
    folder = pathlib.Path(f"/proc/{pid}")
    pages = int((folder / "statm").read_text().split()[1])
    return len(os.listdir(folder / "fd")), len(os.listdir(folder / "task")), pages * os.sysconf("SC_PAGE_SIZE")


class BrokenOffTest(LiveDaemonTest):
    """Ways in which a client goes. All of them are seen by each test of counts."""

    def in_the_handshake(self, chance):
        with socket.create_connection(("127.0.0.1", self.daemon.port), TIME_LIMIT) as raw:
            request = f"GET {PATH} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            raw.sendall(request[:chance.randrange(1, len(request))].encode())

    def before_anything(self, _):
        WebSocket(self.daemon.port, PATH).end()

    def in_a_frame(self, _):
        session = Realtime(self.daemon)
        session.socket.sendall(struct.pack(">BBH", 0x80 | TEXT_FRAME, 0x80 | 126, 5000) + b"1234{\"type\"")
        session.end()

    def with_a_bad_frame(self, _):
        session = Realtime(self.daemon)
        session.socket.sendall(b"\xff\xff\xff\xff")
        session.end()

    def in_the_sound(self, chance):
        session = Realtime(self.daemon)
        session.append(self.spoken[:2 * chance.randrange(1000, len(self.spoken) // 2)])
        session.end()

    def by_a_reset(self, chance):
        session = Realtime(self.daemon)
        session.append(self.spoken[:2 * chance.randrange(1000, len(self.spoken) // 2)])
        session.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        session.end()

    def behind_a_commit(self, _):
        session = Realtime(self.daemon, turns=None)
        session.append(self.spoken)
        session.say(BUFFER + "commit")
        session.end()

    def with_a_close(self, _):
        session = Realtime(self.daemon)
        session.append(self.spoken)
        session.close(1001)
        try:
            session.receive_all()
        finally:
            session.end()

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.spoken = sound("en-thanks")
        cls.ways = (cls.in_the_handshake, cls.before_anything, cls.in_a_frame, cls.with_a_bad_frame, cls.in_the_sound,
                    cls.by_a_reset, cls.behind_a_commit, cls.with_a_close)

    def broke_off(self, number):
        """Whether there was a place: those of sessions that have just gone may still be held."""
        try:
            self.ways[number % len(self.ways)](self, random.Random(number))
        except Refused as refused:
            self.assertIn(refused.status, (429, 503))
            return False
        return True

    def break_all(self, numbers):
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            broken = pool.map(lambda number: wait_for(lambda: self.broke_off(number), "a place"), numbers)
            self.assertTrue(all(broken))

    def quiet(self):
        """What the daemon and its worker hold when no session is left."""
        wait_for(lambda: self.live_sessions() == 0, "the end of all sessions")
        return {"daemon": held(self.daemon.process.pid), "worker": held(self.worker())}

    def test_sessions_that_break_off_leave_nothing_behind(self):
        whole = self.realtime()
        whole.append(self.spoken)
        whole.finish()
        whole.end()
        self.break_all(range(4 * len(self.ways)))  # what is made once, is made now
        before = self.quiet()
        self.break_all(range(BREAKS))
        for name, (files, threads, memory) in before.items():
            pid = self.worker() if name == "worker" else self.daemon.process.pid
            wait_for(lambda: held(pid)[0] <= files and held(pid)[1] <= threads,
                     f"the {name} to hold no more than {before[name]}, and not {held(pid)}")
            self.assertLess(held(pid)[2], memory + MORE_MEMORY, name)
        after = self.realtime()
        after.append(self.spoken)
        after.finish()
        self.assertIn("thank", after.text().lower())


class KilledWorkerTest(LiveDaemonTest):
    def test_each_client_is_told_and_goes_on_with_its_next_sound(self):
        spoken = sound("en-thanks")
        sessions = [self.realtime(turns=None) for _ in range(4)]
        for session in sessions:
            session.append(spoken)
        for session in sessions:
            session.until(TEXT + "delta")
        os.kill(self.worker(), signal.SIGKILL)
        for session in sessions:
            while not (session.of(TEXT + "failed") and session.of("error")):
                session.take()
            failed, = session.of(TEXT + "failed")
            self.assertEqual(failed["error"]["type"], "server_error")
            self.assertEqual(failed["item_id"], session.of(TEXT + "delta")[0]["item_id"])
            self.assertEqual([event["error"]["type"] for event in session.of("error")], ["server_error"])
        for session in sessions:
            session.append(spoken)
            session.finish()
            self.assertEqual(len(session.of(TEXT + "completed")), 1)
            self.assertIn("thank", session.text().lower())


class SessionsTest(LiveDaemonTest):
    def test_sessions_at_once_get_their_own_texts(self):
        def heard(name):
            session = Realtime(self.daemon)
            try:
                session.append(sound(name))
                session.finish()
                return session.text()
            finally:
                session.end()

        with concurrent.futures.ThreadPoolExecutor(len(SPOKEN)) as pool:
            texts = list(pool.map(heard, SPOKEN))
        for name, text in zip(SPOKEN, texts):
            self.assertLess(word_errors(words_of(self.offline(name)), words_of(text)), 0.35, (name, text))

    def test_who_does_not_read_is_closed(self):
        session = self.realtime(limit=TIME_LIMIT)
        until = time.monotonic() + 2 * TIME_LIMIT
        try:
            while time.monotonic() < until:  # each is answered with the whole configuration
                session.say("session.update", session={"type": "transcription"})
            self.fail("it takes what it cannot answer")
        except TimeoutError:
            self.fail("it waits for a client that does not read")
        except (BrokenPipeError, ConnectionResetError):
            pass
        wait_for(lambda: self.live_sessions() == 0, "the end of the session")

    def test_too_many_sessions_are_refused_before_the_upgrade(self):
        daemon = self.start("--set", "live.max_sessions=2", "--set", "live.max_sessions_of_one_key=2")
        first, second = self.realtime(daemon), self.realtime(daemon)
        with self.assertRaises(Refused) as refused:
            Realtime(daemon)
        self.assertEqual(refused.exception.status, 503)
        self.assertGreaterEqual(int(refused.exception.headers["retry-after"]), 1)
        self.assertTrue(error_of(refused.exception.body)["message"])
        self.assertEqual(self.live_sessions(daemon), 2)
        first.end()
        wait_for(lambda: self.live_sessions(daemon) == 1, "the place of the one that went")
        third = self.realtime(daemon)
        for session in (second, third):
            session.append(sound("en-thanks"))
            session.finish()
            self.assertIn("thank", session.text().lower())


class ShutdownTest(LiveDaemonTest):
    def test_turns_are_finished_and_clients_told(self):
        daemon = self.start()
        sessions = [self.realtime(daemon, turns=None) for _ in range(2)]
        for session in sessions:
            session.append(sound("en-thanks"))
            session.until(TEXT + "delta")
        daemon.process.send_signal(signal.SIGTERM)
        for session in sessions:
            rest, closed = session.receive_all()
            done = [event for event in rest if event["type"] == TEXT + "completed"]
            self.assertEqual(len(done), 1, rest)
            self.assertIn("thank", done[0]["transcript"].lower())
            self.assertEqual(closed.code, 1001)
            session.send_frame(CLOSE, struct.pack(">H", 1001))
        self.assertEqual(daemon.process.wait(TIME_LIMIT), 0)

    def test_no_session_begins_while_it_ends(self):
        daemon = self.start()
        session = self.realtime(daemon, turns=None)
        session.append(sound("en-instruct"))
        daemon.process.send_signal(signal.SIGTERM)
        try:
            with self.assertRaises((Refused, ConnectionError, Closed)):
                while True:
                    Realtime(daemon).end()
        finally:
            session.end()
        self.assertEqual(daemon.process.wait(TIME_LIMIT), 0)


if __name__ == "__main__":
    unittest.main()
