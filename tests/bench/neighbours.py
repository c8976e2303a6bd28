"""What one key's heaviest requests cost another key: how long its list of jobs takes meanwhile, and its clips.

    tests/bench/neighbours.py SOUND [--json] [--seconds 8] [--only edit,backup] [--model base]

Starts a daemon of its own with two keys. One of them sends each of the heaviest requests that it may send, one
kind after the other and without a pause; the other asks for its list of jobs and transcribes clips of 4 s of
SOUND meanwhile, as it did before alone. A list that has no answer within its time counts with that time.
The goal is met where 99 of 100 lists take 100 ms at most, and a clip 2.5 times what it takes alone. It takes at
most five minutes: what there is no time for is told.
"""

import argparse
import collections
import http.client
import json
import os
import pathlib
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "integration"))
from daemon import FORM_TYPE, Daemon, form  # noqa: E402
from scribed_command import bin_folder  # noqa: E402

HEAVY, OTHER = "key-of-the-heavy-one", "key-of-its-neighbour"
KEYS = f"heavy {HEAVY} [transcribe, read_status, back_up]\nother {OTHER}\n"
MOST_LIST_MS, MOST_CLIP_RATIO = 100, 2.5
MOST_SECONDS = 300
PATIENCE = 30  # seconds for one list or clip
MOST_OPS = 1000
SEGMENTS = 10_000  # of ten hours of speech
STREAMS = 1000
PAUSE = 0.02  # seconds between two lists


class Client:
    """A connection of one key, which is opened again where it was lost."""

    def __init__(self, daemon, key, timeout=MOST_SECONDS):
        self.daemon, self.key = daemon, key
        self.http = http.client.HTTPConnection("127.0.0.1", daemon.port, timeout=timeout)

    def request(self, method, path, body=None, **headers):
        """The status and the body."""
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            self.http.request(method, path, body, {"Authorization": f"Bearer {self.key}", **headers})
            answer = self.http.getresponse()
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException):
            self.http.close()
            raise

    def json(self, method, path, body=None, **headers):
        status, answer = self.request(method, path, json.dumps(body) if body is not None else None, **headers)
        assert status in (200, 202), (status, answer[:300])
        return json.loads(answer)

    def post_form(self, path, fields, file):
        return self.request("POST", path, form(fields, file), Content_Type=FORM_TYPE)

    def transcription(self, clip, model, *more):
        return self.post_form("/v1/audio/transcriptions", [("model", model), ("language", "en"), *more], clip)

    def transcribe(self, *what):
        return self.transcription(*what)[0]

    def edit(self, job, ops):
        return self.json("PATCH", f"/v1/jobs/{job}/transcript", {"ops": ops}, If_Match="*")


class Texts:
    """Jobs with long texts, which edits make of a clip's."""

    def __init__(self, daemon, clip, model):
        self.client = Client(daemon, HEAVY)
        self.clip, self.model = clip, model
        self.edited = self.of_segments(MOST_OPS)
        self.long = self.of_segments(SEGMENTS)

    def job(self):
        status, answer = self.client.post_form("/v1/jobs", [("model", self.model)], self.clip)
        assert status == 202, answer
        job = json.loads(answer)["id"]
        while (found := self.client.json("GET", f"/v1/jobs/{job}"))["status"] != "done":
            assert found["status"] != "failed", found
            time.sleep(0.1)
        return job

    def of_segments(self, segments):
        """Each has a word of its own and sixty letters."""
        job = self.job()
        first, *rest = [one["id"] for one in self.client.json("GET", f"/v1/jobs/{job}/segments")["data"]]
        parts = min(segments, MOST_OPS)
        text = {"op": "text", "segment": first, "text": " ".join(f"w{number}" for number in range(parts))}
        self.client.edit(job, [{"op": "delete", "segment": one} for one in rest] + [text])
        # Each new segment is cut again behind its first word; ids are counted on.
        second = int(self.first_cut(job, first))
        cut = [first, *map(str, range(second, second + parts - 1))]
        self.client.edit(job, [{"op": "split", "segment": one, "word": 1} for one in cut[1:-1]])
        words = segments // parts
        self.client.edit(job, [{"op": "text", "segment": one, "text": " ".join(
            f"and-so-my-fellow-americans-ask-not-what-your-country-can-{number}-{word}" for word in range(words))}
            for number, one in enumerate(cut)])
        splits = [{"op": "split", "segment": one, "word": word} for one in cut for word in range(words - 1, 0, -1)]
        for begin in range(0, len(splits), MOST_OPS):
            self.client.edit(job, splits[begin:begin + MOST_OPS])
        return job

    def first_cut(self, job, segment):
        """Cuts behind the first word, and returns the id of what is behind it."""
        changed = self.client.edit(job, [{"op": "split", "segment": segment, "word": 1}])["changed"]
        return next(one["id"] for one in changed if one["id"] != segment)


# What the heavy key does: each function sends one request, and returns its status.

def edit(client, setup, _):
    ops = [{"op": "replace", "find": f"q{number}", "with": "x"} for number in range(MOST_OPS)]
    return client.request("PATCH", f"/v1/jobs/{setup.texts.edited}/transcript", json.dumps({"ops": ops}),
                          If_Match="*")[0]


def restore(client, setup, number):
    return client.request("POST", f"/v1/jobs/{setup.texts.long}/versions/{number % 2 * 5}/restore")[0]


def docx(client, setup, _):
    return client.request("GET", f"/v1/jobs/{setup.texts.long}/transcript?format=docx")[0]


def search(client, setup, number):
    found = ("americans", "n", "country-can", "not-there-at-all")[number % 4]
    return client.request("GET", f"/v1/jobs?q={found}&limit=100")[0]


def beams(client, setup, _):
    return client.transcribe(setup.long_clip, setup.model, ("beam_size", "10"))


def events(client, setup, number):
    """Something changes for all streams that are open."""
    time.sleep(0.05)
    return client.request("PATCH", f"/v1/jobs/{setup.texts.edited}", json.dumps({"title": f"title {number}"}),
                          Content_Type="application/json")[0]


def backup(client, _, __):
    return client.request("GET", "/v1/backup")[0]


# The name, what is sent, by how many clients at once, and how many streams of events are open.
LOADS = (("edit: 1000 replace of 1000 segments", edit, 1, 0),
         ("restore of 10,000 segments", restore, 1, 0),
         ("docx of 10,000 segments", docx, 1, 0),
         ("search in its texts", search, 2, 0),
         ("beams: 4 requests with 10", beams, 4, 0),
         ("events: 1000 streams, a title changes", events, 1, STREAMS),
         ("backup", backup, 1, 0))


class Setup:
    def __init__(self, daemon, arguments):
        self.daemon, self.model = daemon, arguments.model
        self.clip, self.long_clip = clip_of(arguments.sound, 4), clip_of(arguments.sound, 30)
        status, answer = Client(daemon, OTHER).transcription(self.clip, self.model)  # loads the model
        assert status == 200, answer
        self.texts = Texts(daemon, self.clip, self.model)


def clip_of(sound, seconds):
    """Of a short sound, which is played again and again."""
    return subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-stream_loop", "-1", "-i", sound, "-t",
                           str(seconds), "-ac", "1", "-ar", "16000", "-f", "wav", "-"],
                          capture_output=True, check=True).stdout


class Repeated(threading.Thread):
    """Calls work(client, number) again and again until stop()."""

    def __init__(self, daemon, key, work, timeout=MOST_SECONDS):
        super().__init__(daemon=True)
        self.client, self.work = Client(daemon, key, timeout), work
        self.ends = threading.Event()
        self.statuses = collections.Counter()
        self.times = []

    def run(self):
        while not self.ends.is_set():
            begun = time.monotonic()
            try:
                self.statuses[self.work(self.client, len(self.times))] += 1
            except (OSError, http.client.HTTPException):
                self.statuses["no answer"] += 1
            self.times.append(time.monotonic() - begun)

    def stop(self):
        self.ends.set()
        if self.client.http.sock:
            try:
                self.client.http.sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


def lists(client, _):
    status, _body = client.request("GET", "/v1/jobs")
    return status


def open_streams(daemon, count):
    found = []
    for _ in range(count):
        one = socket.create_connection(("127.0.0.1", daemon.port), PATIENCE)
        one.sendall(f"GET /v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {HEAVY}\r\n\r\n".encode())
        found.append(one)
    return found


def drain(streams, ends):
    """Reads what comes, as a client does."""
    for one in streams:
        one.setblocking(False)
    while not ends.wait(0.1):
        for one in streams:
            try:
                while one.recv(1 << 16):
                    pass
            except OSError:
                pass


def measured(setup, seconds):
    """How long lists and clips of the neighbour take, for so many seconds and one answer at least."""
    listing = Repeated(setup.daemon, OTHER, lambda client, number: (time.sleep(PAUSE), lists(client, number))[1],
                       PATIENCE)
    clips = Repeated(setup.daemon, OTHER, lambda client, _: client.transcribe(setup.clip, setup.model), PATIENCE)
    listing.start()
    clips.start()
    time.sleep(seconds)
    for one in (listing, clips):
        one.ends.set()
    for one in (listing, clips):
        one.join()
    took = sorted(1000 * (one - PAUSE) for one in listing.times)
    return {"lists": len(took), "list_p50_ms": statistics.median(took), "list_p99_ms": took[int(0.99 * len(took))],
            "list_max_ms": took[-1], "clip_s": statistics.median(clips.times), "clips": len(clips.times),
            "wrong": {str(status): count for status, count in (listing.statuses + clips.statuses).items()
                      if status != 200}}


def beside(setup, load, seconds):
    name, work, clients, count = load
    streams, ends = open_streams(setup.daemon, count), threading.Event()
    reader = threading.Thread(target=drain, args=(streams, ends), daemon=True)
    reader.start()
    heavy = [Repeated(setup.daemon, HEAVY, lambda client, number: work(client, setup, number))
             for _ in range(clients)]
    for one in heavy:
        one.start()
    time.sleep(0.3)
    found = measured(setup, seconds)
    for one in heavy:
        one.stop()
    ends.set()
    reader.join()
    for one in streams:
        one.close()
    done = sum((one.statuses for one in heavy), collections.Counter())
    done.pop("no answer", None)  # that of stop()
    return {"beside": name, **found, "heavy_requests": {str(status): count for status, count in done.items()}}


def wait_until_quiet(setup, deadline):
    """A request may go on after its client has left."""
    while time.monotonic() < deadline:
        begun = time.monotonic()
        try:
            lists(Client(setup.daemon, OTHER, PATIENCE), 0)
        except OSError:
            continue
        if time.monotonic() - begun < 0.1:
            return


def judged(found, alone):
    ratio = found["clip_s"] / alone["clip_s"]
    met = found["list_p99_ms"] <= MOST_LIST_MS and ratio <= MOST_CLIP_RATIO and not found["wrong"]
    return {**found, "clip_ratio": ratio, "goal": "met" if met else "missed"}


def rounded(found):
    return {name: round(value, 2) if isinstance(value, float) else value for name, value in found.items()}


def measure(setup, arguments, deadline):
    alone = measured(setup, arguments.seconds)
    yield rounded({"beside": "alone", **alone})
    for load in LOADS:
        if arguments.only and load[1].__name__ not in arguments.only.split(","):
            continue
        wait_until_quiet(setup, deadline)
        if time.monotonic() + arguments.seconds > deadline:
            yield {"beside": load[0], "goal": "not measured: no time is left"}
            continue
        yield rounded(judged(beside(setup, load, arguments.seconds), alone))


def row(found):
    if "list_p50_ms" not in found:
        return f"{found['beside']:<40} {found['goal']}"
    ratio = f"{found['clip_ratio']:5.2f}" if "clip_ratio" in found else " " * 5
    answers = " ".join(f"{count}x{status}" for status, count in found.get("heavy_requests", {}).items())
    wrong = " ".join(f"{count}x{status}" for status, count in found["wrong"].items())
    return (f"{found['beside']:<40} {found['list_p50_ms']:7.1f} {found['list_p99_ms']:9.1f} {found['list_max_ms']:9.1f}"
            f" {found['clip_s']:7.2f} {ratio}  {found.get('goal', ''):<7}{answers}{' wrong: ' + wrong if wrong else ''}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("sound")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--seconds", type=float, default=8, help="of each kind of request")
    parser.add_argument("--only", help="kinds, with commas: " + ", ".join(load[1].__name__ for load in LOADS))
    parser.add_argument("--model", default="base")
    arguments = parser.parse_args()
    deadline = time.monotonic() + MOST_SECONDS - 2 * PATIENCE
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory() as folder:
        keys = pathlib.Path(folder) / "keys"
        keys.write_text(KEYS)
        keys.chmod(0o600)
        daemon = Daemon(bin_folder() / "scribed", dict(os.environ), "--model", arguments.model, "--key-file", keys,
                        "--state-folder", pathlib.Path(folder) / "state", "--set", "model.keep_alive=-1")
        try:
            setup = Setup(daemon, arguments)
            if not arguments.json:
                print(f"{'beside':<40} {'p50 ms':>7} {'p99 ms':>9} {'max ms':>9} {'clip s':>7} ratio  goal", flush=True)
            rows = []
            for found in measure(setup, arguments, deadline):
                rows.append(found)
                if not arguments.json:
                    print(row(found), flush=True)
            if arguments.json:
                print(json.dumps({"load": round(os.getloadavg()[0], 2), "rows": rows}, indent=2))
        finally:
            daemon.kill()


if __name__ == "__main__":
    main()
