"""Zip files of which the same content gives the same bytes."""
import time
import zipfile

FIRST_EPOCH = 315532800  # zip files know no time before 1980


class ZipWriter:
    def __init__(self, path, epoch):
        self.zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self.time = time.gmtime(max(epoch, FIRST_EPOCH))[:6]

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.zip.close()

    def add(self, name, data, mode=0o644):
        info = zipfile.ZipInfo(name, self.time)
        info.create_system = 3  # Unix, whose modes the next line has
        info.external_attr = (0o100000 | mode) << 16
        self.zip.writestr(info, data, zipfile.ZIP_DEFLATED, compresslevel=9)
