"""Tests that need a network of their own run in namespaces of mounts and of the network, in which they are root and
loopback is the only network. It gets one public address too."""

import fcntl
import pathlib
import socket
import struct
import subprocess
import sys

from scribed_command import TIME_LIMIT

NAMESPACES = ["unshare", "--mount", "--net", "--map-root-user"]
PUBLIC, LOOPBACK = "93.184.216.34", "127.0.0.1"
SIOCSIFADDR, SIOCSIFFLAGS, IFF_UP = 0x8916, 0x8914, 1


def run_inside(case, test):
    """Runs MODULE.CLASS.METHOD in namespaces, or skips the case where there are none."""
    if subprocess.run([*NAMESPACES, "true"], capture_output=True).returncode != 0:
        case.skipTest("no namespaces here")
    inside = subprocess.run([*NAMESPACES, sys.executable, "-m", "unittest", test], cwd=pathlib.Path(__file__).parent,
                            capture_output=True, text=True, timeout=5 * TIME_LIMIT)
    case.assertEqual(inside.returncode, 0, inside.stdout + inside.stderr)


def raise_network():
    """Starts loopback, and gives it the public address too."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        for name, address in ((b"lo", LOOPBACK), (b"lo:1", PUBLIC)):
            wanted = struct.pack("HH4s8x", socket.AF_INET, 0, socket.inet_aton(address))
            fcntl.ioctl(any_socket, SIOCSIFADDR, struct.pack("16s16s", name, wanted))
            fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sh14x", name, IFF_UP))
