"""Error rates, speed and memory of speech-to-text engines over a manifest of recordings."""
