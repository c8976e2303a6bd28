"""Runs a program as on a kernel without Landlock: its system calls are unknown there.

  without_landlock.py PROGRAM [ARGUMENT…]
"""

import ctypes
import errno
import os
import struct
import sys

FIRST, LAST = 444, 446  # landlock_create_ruleset … landlock_restrict_self, on every architecture
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
LOAD_NUMBER, JUMP_AT_LEAST, JUMP_ABOVE, RETURN = 0x20, 0x35, 0x25, 0x06
ALLOW, FAIL = 0x7FFF0000, 0x00050000 | errno.ENOSYS


def forbid_landlock():
    program = b"".join(struct.pack("HBBI", *instruction) for instruction in (
        (LOAD_NUMBER, 0, 0, 0), (JUMP_AT_LEAST, 0, 2, FIRST), (JUMP_ABOVE, 1, 0, LAST),
        (RETURN, 0, 0, FAIL), (RETURN, 0, 0, ALLOW)))
    code = ctypes.create_string_buffer(program, len(program))
    filter = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(program) // 8,
                                                     ctypes.addressof(code)))
    libc = ctypes.CDLL(None, use_errno=True)
    for option, value, where in ((PR_SET_NO_NEW_PRIVS, 1, None),
                                 (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, filter)):
        if libc.prctl(option, value, where, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "prctl")


if __name__ == "__main__":
    forbid_landlock()
    os.execv(sys.argv[1], sys.argv[1:])
