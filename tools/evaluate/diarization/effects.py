"""What lies between a conversation and its recording: a telephone line, a room."""

import numpy
import scipy.signal

RATE = 16000


def telephone(samples, _rng):
    """300 to 3400 Hz at 8 kHz, through G.711's mu-law in 255 steps, and back to 16 kHz."""
    narrow = scipy.signal.resample_poly(samples, 1, 2)
    band = scipy.signal.butter(4, [300, 3400], "bandpass", fs=8000, output="sos")
    narrow = numpy.clip(scipy.signal.sosfilt(band, narrow), -1, 1)
    code = numpy.sign(narrow) * numpy.log1p(255 * numpy.abs(narrow)) / numpy.log(256)
    code = numpy.round(code * 127) / 127
    heard = numpy.sign(code) * (256 ** numpy.abs(code) - 1) / 255
    return scipy.signal.resample_poly(heard, 2, 1).astype(numpy.float32)[: len(samples)]


def room(samples, rng, decay_s=0.5):
    """A tail of noise that falls by 60 dB in `decay_s`, 3 dB weaker than the direct sound, after 2.5 ms."""
    count = int(decay_s * RATE)
    tail = rng.standard_normal(count) * 10 ** (-3 * numpy.arange(count) / count)
    tail[:40] = 0
    tail *= 0.7 / numpy.sqrt((tail**2).sum())
    tail[0] = 1
    return (scipy.signal.fftconvolve(samples, tail)[: len(samples)] * 0.7).astype(numpy.float32)
