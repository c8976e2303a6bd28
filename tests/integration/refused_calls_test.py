"""`scribed doctor` where a system call is refused, as the profile of an old container engine does."""

import ctypes
import errno
import json
import platform
import struct
import subprocess
import unittest

from scribed_command import bin_folder

PIDFD_OPEN = 434
PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, FILTER = 22, 38, 2
# The steps of a Berkeley packet filter: load the number of the call; skip one step unless it is
# ours; the verdicts.
LOAD_NUMBER, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | errno.EPERM


class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]


def refuse_pidfd_open():
    code = b"".join(struct.pack("=HBBI", *one) for one in (
        (LOAD_NUMBER, 0, 0, 0), (JUMP_IF_EQUAL, 0, 1, PIDFD_OPEN),
        (RETURN, 0, 0, REFUSE), (RETURN, 0, 0, ALLOW)))
    program = Program(4, code)
    c = ctypes.CDLL(None, use_errno=True)
    if (c.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
            or c.prctl(PR_SET_SECCOMP, FILTER, ctypes.byref(program), 0, 0) != 0):
        raise OSError(ctypes.get_errno(), "no filter of system calls")


@unittest.skipUnless(platform.machine() == "x86_64", "the filter is written for x86_64")
class RefusedCallsTest(unittest.TestCase):
    def doctor(self, **more):
        ended = subprocess.run([bin_folder() / "scribed", "doctor", "--json"], capture_output=True,
                               text=True, timeout=60, **more)
        return ended.returncode, json.loads(ended.stdout)

    def test_the_call_and_what_to_do_are_named(self):
        code, report = self.doctor(preexec_fn=refuse_pidfd_open)
        self.assertEqual(code, 6)
        self.assertFalse(report["works"])
        self.assertIn("(SYSTEM_CALL_REFUSED)", report["headline"])
        self.assertIn("pidfd_open", report["headline"])
        fixes = " ".join(fix for verdict in report["verdicts"] for finding in verdict["findings"]
                         for fix in finding["fix"])
        self.assertIn("--security-opt seccomp=", fixes)

    def test_nothing_is_said_where_it_is_allowed(self):
        self.assertEqual(self.doctor()[1]["facts"]["os"]["refused_calls"], [])


if __name__ == "__main__":
    unittest.main()
