"""The versions of clients, as the lock files of their languages pin them."""

import json
import pathlib
import re
import xml.etree.ElementTree as xml

HERE = pathlib.Path(__file__).resolve().parent


def python(package):
    pinned = re.search(rf"^{re.escape(package)}==(\S+)", (HERE / "python/requirements.txt").read_text(), re.M)
    return pinned[1]


def node(package):
    return json.loads((HERE / "node/package-lock.json").read_text())["packages"][f"node_modules/{package}"]["version"]


def go(module):
    return re.search(rf"^\s*(?:require )?{re.escape(module)} v(\S+)", (HERE / "go/go.mod").read_text(), re.M)[1]


def rust(crate):
    return re.search(rf'^name = "{re.escape(crate)}"\nversion = "(.+)"', (HERE / "rust/crates.lock").read_text(), re.M)[1]


def java(artifact, folder):
    group, name = artifact.split(":")
    maven = "{http://maven.apache.org/POM/4.0.0}"
    for one in xml.parse(HERE / "java" / folder / "pom.xml").iter(f"{maven}dependency"):
        if (one.findtext(f"{maven}groupId"), one.findtext(f"{maven}artifactId")) == (group, name):
            return one.findtext(f"{maven}version")
    raise KeyError(artifact)


def version_of(client):
    if "package" not in client:
        return client["version"]
    find = {"Python": python, "Node": node, "Go": go, "Rust": rust, "Java": lambda name: java(name, client["folder"])}
    packages = client["package"].split(", ")
    found = [find[client["language"]](package) for package in packages]
    return found[0] if len(found) == 1 else ", ".join(f"{package} {version}" for package, version in zip(packages, found))
