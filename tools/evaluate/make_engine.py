"""An engine out of NAME[:COMPUTE_TYPE[:MODE]]."""

from . import models
from .engines import EngineError, PythonEngine, ScribedEngine


def make_engine(spec, model, program, settings):
    """Starts it, with its model loaded; `program` is the scribed to measure."""
    name, compute_type, mode = (spec.split(":") + ["", ""])[:3]
    if name == "scribed":
        found = models.for_scribed(model)
        return ScribedEngine(spec, program, found, compute_type, mode, settings)
    if name not in models.FORMATS:
        raise EngineError(
            f"unknown engine '{name}'; there are scribed, {', '.join(models.FORMATS)}"
        )
    if name == "openai" and compute_type not in ("", "float32"):
        raise EngineError("openai runs in float32 on a CPU")
    found = models.for_engine(name, compute_type, model)
    return PythonEngine(spec, name, found, compute_type, mode, settings)
