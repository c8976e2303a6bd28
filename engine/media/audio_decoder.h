#pragma once

#include <string>

#include "engine/media/error.h"
#include "engine/media/ffmpeg.h"

namespace engine::media {

// The decoder of one track, single-threaded. Damaged packets are counted and skipped.
class AudioDecoder {
 public:
  static Result<AudioDecoder> open(const AVStream& track);

  // Gives one packet to the decoder; nullptr means that no more will come.
  void feed(const AVPacket* packet);
  // Returns the next decoded frame, valid until the next call; nullptr when the decoder needs a
  // packet.
  const AVFrame* next();

  int damaged_packets() const { return damaged_packets_; }
  const AVCodecContext& codec() const { return *codec_; }

 private:
  AudioDecoder() = default;

  CodecContext codec_;
  Frame frame_;
  int damaged_packets_ = 0;
};

}  // namespace engine::media
