"""Live transcription: how soon words come, and which, while recordings are fed as fast as they were spoken."""
