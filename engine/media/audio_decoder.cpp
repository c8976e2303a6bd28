#include "engine/media/audio_decoder.h"

#include <new>
#include <string_view>

#include "engine/media/allow_lists.h"

namespace engine::media {
namespace {

// The limit of samples of one channel in one frame: minutes of sound, and still only some
// megabytes.
constexpr int max_frame_samples = 1 << 22;

// Returns whether a packet is no sound but the head of a recording that was joined to the one
// before it: demuxers pass these on as packets.
bool is_joined_head(AVCodecID codec, const AVPacket& packet) {
  const std::string_view bytes(reinterpret_cast<const char*>(packet.data),
                               static_cast<std::size_t>(packet.size));
  if (codec == AV_CODEC_ID_MP3) return bytes.starts_with("ID3");
  if (codec == AV_CODEC_ID_OPUS) {
    return bytes.starts_with("OpusHead") || bytes.starts_with("OpusTags");
  }
  return false;
}

Error unsupported_codec(const AVStream& track) {
  const bool encrypted = track.codecpar->codec_id == AV_CODEC_ID_NONE;
  const std::string codec =
      encrypted ? "an unknown codec"
                : std::string("the codec '") + avcodec_get_name(track.codecpar->codec_id) + "'";
  return {Errc::unsupported_codec,
          "The audio track is coded with " + codec + ", which is not supported.",
          "Convert it to wav, flac or mp3 and try again."};
}

}  // namespace

Result<AudioDecoder> AudioDecoder::open(const AVStream& track) {
  const AVCodec* codec = avcodec_find_decoder(track.codecpar->codec_id);
  if (codec == nullptr || !is_allowed_decoder(codec->name)) return unsupported_codec(track);

  AudioDecoder decoder;
  decoder.codec_.reset(avcodec_alloc_context3(codec));
  decoder.frame_.reset(av_frame_alloc());
  if (!decoder.codec_ || !decoder.frame_) throw std::bad_alloc();
  AVCodecContext* context = decoder.codec_.get();
  const bool described = avcodec_parameters_to_context(context, track.codecpar) >= 0;
  context->pkt_timebase = track.time_base;  // trims the codec's priming and padding
  context->thread_count = 1;                // the sandbox has no threads
  context->max_samples = max_frame_samples;
  if (!described || avcodec_open2(context, codec, nullptr) < 0) {
    return Error{
        Errc::nothing_decodable,
        std::string("The description of the audio track (") + codec->name + ") is damaged.",
        "Play it in another program; if that works, convert it to wav or flac and try again."};
  }
  return decoder;
}

void AudioDecoder::feed(const AVPacket* packet) {
  if (packet != nullptr && is_joined_head(codec_->codec_id, *packet)) return;
  const int sent = avcodec_send_packet(codec_.get(), packet);
  if (sent == AVERROR(ENOMEM)) throw std::bad_alloc();
  if (sent < 0 && sent != AVERROR_EOF) ++damaged_packets_;
}

const AVFrame* AudioDecoder::next() {
  for (;;) {
    const int received = avcodec_receive_frame(codec_.get(), frame_.get());
    if (received == AVERROR(EAGAIN) || received == AVERROR_EOF) return nullptr;
    if (received == AVERROR(ENOMEM)) throw std::bad_alloc();
    if (received >= 0) {
      if (frame_->decode_error_flags != 0) ++damaged_packets_;
      return frame_.get();
    }
    ++damaged_packets_;
    return nullptr;
  }
}

}  // namespace engine::media
