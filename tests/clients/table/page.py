"""The table as docs/clients.md: one line for each client, then one for each thing that it did."""

HEAD = """# Tested clients

Clients of other projects, each used as its documentation says, against `scribed serve` with {worker}.
Versions are from the lock files. `tests/clients/table/run.py --docs` generates this page; do not edit it.

- **ok**: the client gets the expected result. Error cases count too: the client must raise its own error.
- **client**: a limit of the client; the reason is in the same row.
- **scribed**: a bug in scribed.

"Recorded" clients (C#, programs with a window) are replayed requests, with readers that parse as they do.
[Connect your program](connect.md) has the settings. [How the table is made](../tests/clients/table/README.md).
"""
GOT = 48  # characters that the table shows


def cell(text, limit=None):
    text = " ".join(str(text).split())
    if limit and len(text) > limit:
        text = text[:limit - 1].rstrip() + "…"
    for special in ("\\", "|", "<", "[", "]", "*", "_", "`"):
        text = text.replace(special, "\\" + special)
    return text


def result(row):
    if not row["fault"]:
        return "ok"
    return f"{row['fault']}: {cell(row['why'])}" if row["why"] else row["fault"]


def line(client, row):
    """A row as the terminal shows it."""
    return f"{row['fault'] or 'ok':8} {client['name']} | {row['did']} | {' '.join(row['got'].split())[:300]}"


def count(client, fault):
    return sum(row["fault"] == fault for row in client["rows"])


def markdown(clients, fake=False):
    worker = "the worker of the tests, whose text is \"Segment 0. Segment 1.\"" if fake else "the model `base`"
    out = [HEAD.format(worker=worker), "| client | language | version | protocol | actions | ok | client | scribed |", "|---|---|---|---|---|---|---|---|"]
    for client in clients:
        out.append(f"| {cell(client['name'])} | {client['language']} | {cell(client['version'])} | {client['speaks']} | {len(client['rows'])} | "
                   f"{count(client, '')} | {count(client, 'client')} | {count(client, 'scribed')} |")
    out += ["", "## Actions", "", "| client | did | got | result |", "|---|---|---|---|"]
    for client in clients:
        for row in client["rows"]:
            out.append(f"| {cell(client['name'])} | {cell(row['did'])} | {cell(row['got'], GOT)} | {result(row)} |")
    return "\n".join(out) + "\n"
