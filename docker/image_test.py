"""An image of scribed as people run it: docker/test builds it and starts this.

  SCRIBED_IMAGE    the image; SCRIBED_PODMAN, SCRIBED_PODMAN_RUN: see containers.py
  SCRIBED_MODELS   folder with the model base, which the volumes of the tests begin with
  SCRIBED_SHARED   folder with recordings and what is said in them (audio/MANIFEST.tsv)"""

import difflib
import json
import os
import pathlib
import re
import sys
import time
import unittest
import wave

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests/integration"), str(ROOT / "docker")]
import clients  # noqa: E402
import fake_hub  # noqa: E402
import nano_model  # noqa: E402
from containers import (ENGINE, HARDENED, RUN_OPTIONS, Container, Volume, engine,  # noqa: E402
                        run_once, wait_for)
from daemon import FORM_TYPE, form  # noqa: E402

IMAGE = os.environ.get("SCRIBED_IMAGE", "scribed:cpu")
MODELS = pathlib.Path(os.environ.get("SCRIBED_MODELS", ROOT / ".deps/data/models"))
SHARED = pathlib.Path(os.environ.get("SCRIBED_SHARED", ROOT.parent / "shared"))
CLIP = "containers/LJ001-0001.wav"
KEY = "0123456789abcdef"
ANYBODY = "48213:48213"  # a user that the image does not know
# As the profile of an old engine, which lacks a call.
NO_PIDFD = {"defaultAction": "SCMP_ACT_ALLOW",
            "syscalls": [{"names": ["pidfd_open"], "action": "SCMP_ACT_ERRNO"}]}


def figure(what, value):
    print(f"{what:<44} {value}", flush=True)


def words(text):
    return re.findall(r"[a-z']+", text.lower())


class ImageTest(unittest.TestCase):
    def setUp(self):
        self.clip = SHARED / "audio" / CLIP
        missing = [path for path in (MODELS / "base", self.clip) if not path.exists()]
        if missing:
            self.skipTest(f"there is no {missing[0]}: see SCRIBED_MODELS and SCRIBED_SHARED")

    def volume(self, models=("base",)):
        volume = Volume([MODELS / name for name in models])
        self.addCleanup(volume.remove)
        return volume

    def container(self, *command, **more):
        container = Container(IMAGE, *command, **more)
        self.addCleanup(container.remove)
        return container

    def server(self, **more):
        more.setdefault("volume", self.volume())
        server = self.container(options=("-v", f"{self.clip.parent}:/media:ro"), **more).start()
        server.seconds_to_ready()
        return server

    def assert_said(self, text):
        reference = (SHARED / "audio" / (CLIP + ".txt")).read_text()
        alike = difflib.SequenceMatcher(None, words(reference), words(text)).ratio()
        self.assertGreater(alike, 0.8, text)

    def transcribe(self, server, **headers):
        body = form([("model", "whisper-1")], self.clip.read_bytes(), self.clip.name)
        return server.request("POST", "/v1/audio/transcriptions", body,
                              {"Content-Type": FORM_TYPE, **headers})

    # What is in it

    def test_nothing_of_the_build_is_in_the_image(self):
        found = run_once(IMAGE, "/", "-xdev", "-regextype", "egrep", "-regex",
                         r".*(\.(h|a)|/cc1[^/]*|_tests)|.*/bin/(cc|c\+\+|gcc|g\+\+|cmake|pip)[^/]*|"
                         r"/src|/var/lib/apt/lists/.*",
                         options=("--user", "0", "--entrypoint", "find")).stdout.split()
        self.assertEqual([path for path in found if path != "/var/lib/apt/lists/partial"], [])

    def test_it_says_what_it_is(self):
        described = json.loads(engine("inspect", "--type", "image", IMAGE).stdout)[0]
        labels, config = described["Labels"], described["Config"]
        for name in ("title", "description", "version", "licenses", "base.name"):
            self.assertTrue(labels.get(f"org.opencontainers.image.{name}"), name)
        self.assertRegex(config["User"], r"^[1-9][0-9]*:[1-9]")
        self.assertEqual(list(config["Volumes"]), ["/var/lib/scribed"])
        self.assertEqual(described["Healthcheck"]["Test"], ["CMD", "scribed", "health"])
        bill = json.loads(run_once(IMAGE, "/usr/share/doc/scribed/sbom.spdx.json",
                                   options=("--entrypoint", "cat")).stdout)
        names = {one["name"] for one in bill["packages"]}
        self.assertLessEqual({"scribed", "torch", "libavformat59", "nlohmann-json3-dev"}, names)
        figure("packages in the SBOM", len(names))

    # How it runs

    def test_as_it_is_any_user_starts_it_and_it_becomes_healthy(self):
        for user in (ANYBODY, "48213"):
            with self.subTest(user):
                server = self.container(user=user, network="none", volume=self.volume()).start()
                server.wait_for_health()
                self.assertIn("no key is asked for", server.log())
                server.remove()

    def test_health_tells_why_it_is_not_ready(self):
        server = self.container(volume=self.volume([]), SCRIBED_MODEL_PULL="false").start()
        said = wait_for(lambda: (found := server.execute("scribed", "health", check=False)).stdout
                        and found, "an answer")
        self.assertEqual(said.returncode, 1)
        self.assertIn("the default model is not installed", said.stdout)

    def test_times_from_start_to_text(self):
        volume = self.volume()
        for state in ("cold (a model, nothing packed)", "warm"):
            server = self.container(user=ANYBODY, volume=volume).start()
            figure(f"start to ready, volume {state}, s", f"{server.seconds_to_ready():.2f}")
            figure("  memory, no model loaded, MB", f"{server.memory_mb():.0f}")
            began = time.monotonic()
            status, body = self.transcribe(server)
            figure("  first transcription (10 s of sound), s", f"{time.monotonic() - began:.2f}")
            self.assertEqual(status, 200, body)
            self.assert_said(json.loads(body)["text"])
            began = time.monotonic()
            self.transcribe(server)
            figure("  the next one, s", f"{time.monotonic() - began:.2f}")
            figure("  memory, base loaded, idle, MB", f"{server.memory_mb():.0f}")
            began = time.monotonic()
            engine("stop", "-t", "30", server.name)
            figure("  SIGTERM to the end, idle, s", f"{time.monotonic() - began:.2f}")
            self.assertEqual(server.inspect("{{.State.ExitCode}}"), "0")

    def test_an_empty_volume_gets_its_model(self):
        hub = fake_hub.FakeHub(nano_model.files())
        self.addCleanup(hub.close)
        server = self.container(volume=self.volume([]), HF_ENDPOINT=hub.endpoint, NO_PROXY="*",
                                SCRIBED_MODEL_DEFAULT="distil-small.en").start()
        figure("start to ready, empty volume, tiny model, s", f"{server.seconds_to_ready():.2f}")
        self.assertIn("model installed", server.log())

    def test_an_image_with_a_model_needs_neither_network_nor_volume(self):
        listed = run_once(IMAGE, "models", "list")
        if not re.search(r"^  base ", listed.stdout.partition("Available")[0], re.M):
            self.skipTest("the image has no model in it: it is for --target cpu-model")
        self.container(user=ANYBODY, network="none").start().wait_for_health()

    def test_nothing_is_written_outside_the_volume(self):
        server = self.server(hardened=False)
        self.assertEqual(self.transcribe(server)[0], 200)
        engine("stop", "-t", "30", server.name)
        # What the engine itself makes for each container.
        made = {"/etc", "/etc/hostname", "/etc/hosts", "/etc/resolv.conf", "/etc/mtab",
                "/etc/passwd", "/etc/group", "/run", "/run/.containerenv", "/var", "/var/lib",
                "/var/lib/scribed",
                "/media", "/proc", "/sys", "/dev"}
        changed = engine("diff", server.name).stdout.splitlines()
        self.assertLessEqual({line.split(" ", 1)[1] for line in changed}, made)

    def test_process_one_waits_for_orphans(self):
        server = self.server()
        server.execute("sh", "-c", "for i in 1 2 3 4 5; do (sleep 0.2 &) ; done")
        time.sleep(1)
        self.assertEqual(server.zombies(), 0)

    # Who may use it

    def test_without_a_key_it_serves_the_network_only_where_that_is_said(self):
        refused = self.container(network="none", volume=self.volume(),
                                 SCRIBED_SERVER_ALLOW_ANYONE="false").start()
        self.assertEqual(refused.wait(), 2)
        self.assertIn("no key is asked for", refused.log())
        self.container(network="none", volume=self.volume(), SCRIBED_API_KEY=KEY,
                       SCRIBED_SERVER_ALLOW_ANYONE="false").start().wait_for_health()

    def test_with_a_key_only_its_bearer_is_served(self):
        server = self.server(SCRIBED_API_KEY=KEY)
        self.assertEqual(self.transcribe(server)[0], 401)
        self.assertEqual(self.transcribe(server, Authorization=f"Bearer {KEY}")[0], 200)

    # Clients of others

    def test_openai_and_mcp_clients_over_http(self):
        clients.need()
        server = self.server(user=ANYBODY)
        url = f"http://127.0.0.1:{server.port}"
        script = ("import openai, sys; client = openai.OpenAI(base_url=sys.argv[1] + '/v1', "
                  "api_key='none'); print(client.audio.transcriptions.create(model='whisper-1', "
                  "file=open(sys.argv[2], 'rb')).text)")
        self.assert_said(clients.run(["/usr/bin/python3", "-c", script, url, self.clip],
                                     {"PYTHONPATH": str(clients.FOLDER / "python")}))
        self.assert_mcp(f"{url}/mcp")

    def test_mcp_client_over_stdio(self):
        clients.need()
        volume = self.volume()
        self.assert_mcp(*ENGINE, "run", "-i", "--rm", *RUN_OPTIONS, *HARDENED, "--network", "none",
                        "--user", ANYBODY, "-v", f"{volume.path}:/var/lib/scribed",
                        "-v", f"{self.clip.parent}:/media:ro", IMAGE, "mcp")

    def assert_mcp(self, *target):
        path = f"/media/{self.clip.name}"
        said = json.loads(clients.run_python("mcp_transcribe.py", path, *target))
        self.assertFalse(said["is_error"], said)
        self.assertEqual(said["tools"], 9)
        self.assert_said(said["text"].split("not as instructions", 1)[-1])

    # What may go wrong

    def test_a_job_outlives_sigterm(self):
        volume = self.volume()
        server = self.server(volume=volume, user=ANYBODY)
        repeats = 60
        sound = self.long_recording(volume, repeats)
        status, body = server.request("POST", "/v1/jobs", form([], sound),
                                      {"Content-Type": FORM_TYPE})
        self.assertEqual(status, 202, body)
        job = f"/v1/jobs/{json.loads(body)['id']}"
        wait_for(lambda: (found := server.json(job))["status"] == "running" and found["segments"],
                 "a segment", 0.2)
        began = time.monotonic()
        engine("stop", "-t", "40", server.name)
        took = time.monotonic() - began
        self.assertIn("stopping", server.log())
        figure("SIGTERM to the end, in mid-job, s", f"{took:.1f}")
        self.assertLess(took, 25)
        self.assertEqual(server.inspect("{{.State.ExitCode}}"), "0")
        server.remove()
        again = self.server(volume=volume, user=ANYBODY)
        wait_for(lambda: again.json(job)["status"] in ("done", "failed"), "the job's end", 0.5,
                 limit=1800)
        self.assertEqual(again.json(job)["status"], "done", again.json(job))
        text = again.get(job + "/transcript?format=txt")[1].decode()
        # What is said again and again may be taken for a loop here and there.
        self.assertGreaterEqual(text.lower().count("printing"), 0.6 * repeats)

    def long_recording(self, volume, repeats):
        """The clip many times, so that it takes longer than scribed waits for work to end."""
        path = volume.path / "long.wav"
        with wave.open(str(self.clip)) as clip, wave.open(str(path), "wb") as long:
            long.setparams(clip.getparams())
            frames = clip.readframes(clip.getnframes())
            for _ in range(repeats):
                long.writeframes(frames)
        content = path.read_bytes()
        path.unlink()
        return content

    def test_doctor_names_a_call_that_the_profile_refuses(self):
        volume = self.volume()
        profile = volume.path / "profile.json"
        profile.write_text(json.dumps(NO_PIDFD))
        profile.chmod(0o644)
        said = run_once(IMAGE, "doctor", options=("--security-opt", f"seccomp={profile}"),
                        check=False)
        self.assertEqual(said.returncode, 6, said.stdout + said.stderr)
        self.assertIn("SYSTEM_CALL_REFUSED", said.stdout)
        self.assertIn("--security-opt", said.stdout)

    def test_doctor_knows_that_it_is_in_a_container(self):
        said = run_once(IMAGE, "doctor", options=HARDENED).stdout
        self.assertRegex(said, r"container +podman")
        self.assertIn("scribed uses cpu", said)


if __name__ == "__main__":
    unittest.main(verbosity=2)
