"""Whether scribed says of a model what faster-whisper says, in every form that writers give it."""
