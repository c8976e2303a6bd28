"""Errors of diarization: scribed beside other systems, over conversations whose turns are known."""
