"""The SPDX document of a portable tree: its parts, and the digest of every program and library."""
import spdx
from archive import digest
from elf import elf_files


def document(parts, tree, version, epoch):
    packages, relations = [], []
    for part in parts:
        reference = spdx.identifier("part", part.name)
        more = {"comment": part.note} if part.note else {}
        packages.append(spdx.package(reference, part.name, part.version, part.purl,
                                     licenseDeclared=part.licence, **more))
        kind = ("DESCRIBES" if part.name == "scribed" else
                "DYNAMIC_LINK" if part.files else "STATIC_LINK")
        of = "SPDXRef-DOCUMENT" if kind == "DESCRIBES" else spdx.identifier("part", "scribed")
        relations.append((of, kind, reference))
    owners = {name: part.name for part in parts for name in part.files}
    files = []
    for path in elf_files(tree):
        name = str(path.relative_to(tree))
        reference = spdx.identifier("file", name)
        files.append({"SPDXID": reference, "fileName": f"./{name}", "copyrightText": "NOASSERTION",
                      "licenseConcluded": "NOASSERTION",
                      "checksums": [{"algorithm": "SHA1", "checksumValue": digest(path, "sha1")},
                                    {"algorithm": "SHA256", "checksumValue": digest(path)}]})
        relations.append((spdx.identifier("part", owners[path.name]), "CONTAINS", reference))
    extracted = [{"licenseId": "LicenseRef-ISSL", "name": "Intel Simplified Software License",
                  "extractedText": next(part for part in parts
                                        if part.licence == "LicenseRef-ISSL").texts[0].read_text()}]
    return spdx.document(f"scribed-{version}", "packaging/portable", packages, relations, epoch,
                         files=files, hasExtractedLicensingInfos=extracted)
