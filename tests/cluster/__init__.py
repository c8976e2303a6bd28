"""A checker with faults for several daemons. It is built on the pieces of tests/integration."""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "integration"))
