"""Parts of SPDX 2.3 documents, for the images (docker/sbom) and for portable trees."""
import datetime
import hashlib
import json
import re

# Headers, and static libraries, that are compiled into the programs, by Debian's packages.
COMPILED_IN = {"libboost1.81-dev": "BSL-1.0", "libcli11-dev": "BSD-3-Clause",
               "nlohmann-json3-dev": "MIT", "libsqlitecpp-dev": "MIT", "libxxhash-dev": "BSD-2-Clause"}

# Packages of npm that the page has in it, which is part of the program (web/licences.mjs finds them).
IN_PAGE = ("@preact/signals", "@preact/signals-core", "js-base64", "preact", "querystringify", "requires-port",
           "tus-js-client", "url-parse")


def identifier(*parts):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", "-".join(parts))


def package(reference, name, version, purl, **more):
    return {"SPDXID": reference, "name": name, "versionInfo": version,
            "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "licenseConcluded": "NOASSERTION", "licenseDeclared": "NOASSERTION",
            "copyrightText": "NOASSERTION",
            "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                              "referenceLocator": purl}], **more}


def document(name, tool, packages, relations, epoch, **more):
    """`relations` are (element, kind, element). The name space is of the content, so that the same
    content has the same document."""
    content = json.dumps([packages, more])
    created = datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc)
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
            "name": name,
            "documentNamespace": "https://spdx.org/spdxdocs/"
                                 f"{name}-{hashlib.sha256(content.encode()).hexdigest()}",
            "creationInfo": {"created": created.strftime("%Y-%m-%dT%H:%M:%SZ"),
                             "creators": [f"Tool: {tool}"]},
            "packages": packages, **more,
            "relationships": [{"spdxElementId": of, "relationshipType": kind,
                               "relatedSpdxElement": to} for of, kind, to in relations]}
