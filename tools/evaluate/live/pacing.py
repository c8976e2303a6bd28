"""Feeds sound as a microphone does: a piece is there when its last sample was spoken, and never sooner."""

import time


def feed(pcm, bytes_per_second, piece_s, begun, send, now=time.monotonic, sleep=time.sleep):
    """Gives all pieces of `pcm` to `send`, the first sample being spoken at `begun`. Returns by how many seconds,
    at most, a piece was taken later than it was there."""
    step = max(1, int(piece_s * bytes_per_second / 2)) * 2  # whole samples of two bytes
    late = 0.0
    for begin in range(0, len(pcm), step):
        piece = pcm[begin : begin + step]
        due = begun + (begin + len(piece)) / bytes_per_second
        sleep(max(0.0, due - now()))
        send(piece)
        late = max(late, now() - due)
    return late
