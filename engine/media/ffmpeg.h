#pragma once

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/channel_layout.h>
#include <libavutil/mem.h>
#include <libavutil/opt.h>
#include <libswresample/swresample.h>
}

#include <memory>

// FFmpeg's objects, each held by a type that frees it.
namespace engine::media {

struct FreeFrame {
  void operator()(AVFrame* frame) const noexcept { av_frame_free(&frame); }
};
struct FreePacket {
  void operator()(AVPacket* packet) const noexcept { av_packet_free(&packet); }
};
struct FreeCodec {
  void operator()(AVCodecContext* codec) const noexcept { avcodec_free_context(&codec); }
};
struct CloseFormat {
  void operator()(AVFormatContext* format) const noexcept { avformat_close_input(&format); }
};
struct FreeSwr {
  void operator()(SwrContext* swr) const noexcept { swr_free(&swr); }
};

using Frame = std::unique_ptr<AVFrame, FreeFrame>;
using Packet = std::unique_ptr<AVPacket, FreePacket>;
using CodecContext = std::unique_ptr<AVCodecContext, FreeCodec>;
using FormatContext = std::unique_ptr<AVFormatContext, CloseFormat>;
using Swr = std::unique_ptr<SwrContext, FreeSwr>;

}  // namespace engine::media
