"""An MCP bundle (.mcpb): the tree below server/, and a manifest that tells a host how to start it."""
from zip_file import ZipWriter


def write(tree, manifest, stem, folder, epoch):
    """Returns the bundle's path. `manifest` is the text of manifest.json."""
    bundle = folder / f"{stem}.mcpb"
    with ZipWriter(bundle, epoch) as out:
        out.add("manifest.json", manifest.encode())
        for path in sorted(path for path in tree.rglob("*") if path.is_file()):
            out.add(f"server/{path.relative_to(tree)}", path.read_bytes(),
                    path.stat().st_mode & 0o777)
    return bundle
