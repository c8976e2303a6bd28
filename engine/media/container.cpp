#include "engine/media/container.h"

#include <algorithm>
#include <array>
#include <new>
#include <string_view>

#include "engine/media/allow_lists.h"
#include "engine/media/playlist.h"
#include "engine/media/tracks.h"

namespace engine::media {
namespace {

constexpr int probe_bytes = 1 << 20;
// A client of live audio that sends no file format is to learn it soon.
constexpr int live_probe_bytes = 64 << 10;

Error unsupported_format(std::string message) {
  return {Errc::unsupported_format, std::move(message),
          "Supported are wav, flac, mp3, m4a, mp4, mov, mkv, webm, ogg, opus, aac, aiff, wma, amr, "
          "3gp, caf, au, avi, flv, mpeg, ts, m2ts, mxf, dv, nut, ac3, eac3, dts, truehd, mlp, wv, "
          "tta, voc, gsm and g722; raw audio needs its format to be named."};
}

// Returns the input's own error where it has one, because that explains more than FFmpeg's
// consequence of it.
Error explain(const DescriptorInput& input, Error otherwise) {
  if (const auto status = input.status(); !status) return status.error();
  if (input.bytes_read() == 0) {
    return {Errc::empty_input, "The input is empty: it holds no bytes at all.",
            "Check that the file was copied or uploaded completely."};
  }
  if (input.refused_seek()) {
    return {
        Errc::needs_seekable_input,
        "This file keeps its table of contents at the end, so it cannot be read from a pipe.",
        "Give it as a file, or write it with the table in front (ffmpeg -movflags +faststart)."};
  }
  return otherwise;
}

// Returns the name of a playlist's format, and leaves the input at its beginning: what was read is
// still in FFmpeg's buffer, so a pipe can be wound back, too.
std::optional<std::string_view> look_for_playlist(DescriptorInput& input) {
  std::array<char, playlist_head_bytes> head{};
  const int count = avio_read(input.context(), reinterpret_cast<unsigned char*>(head.data()),
                              static_cast<int>(head.size()));
  avio_seek(input.context(), 0, SEEK_SET);
  if (count <= 0) return std::nullopt;
  return playlist_format({head.data(), static_cast<std::size_t>(count)});
}

// Returns how many bytes may be read to find out the format. A tag of MP3 may have a picture.
int most_probed(DescriptorInput& input, const Options& options) {
  if (!options.unbuffered) return probe_bytes;
  std::array<unsigned char, 3> head{};
  avio_read(input.context(), head.data(), head.size());
  avio_seek(input.context(), 0, SEEK_SET);
  return std::ranges::equal(head, std::string_view("ID3")) ? probe_bytes : live_probe_bytes;
}

Result<const AVInputFormat*> recognise(DescriptorInput& input, const Options& options) {
  if (!options.format.empty()) {
    if (const auto* format = av_find_input_format(options.format.c_str())) return format;
    return unsupported_format("This build of FFmpeg does not know the format '" + options.format +
                              "'.");
  }
  if (const auto playlist = look_for_playlist(input)) {
    return refers_to_other_files(std::string(*playlist));
  }
  const AVInputFormat* format = nullptr;
  // Content that is surely of another format comes before the name.
  const std::string name = is_raw_extension(options.extension) ? "input." + options.extension : "";
  const auto most_bytes = static_cast<unsigned>(most_probed(input, options));
  const int score =
      av_probe_input_buffer2(input.context(), &format, name.c_str(), nullptr, 0, most_bytes);
  if (score < 0 || format == nullptr) {
    return explain(input, unsupported_format("This is not a known audio or video format."));
  }
  if (refers_elsewhere(format->name)) return refers_to_other_files(format->name);
  if (!is_allowed_demuxer(format->name)) {
    return unsupported_format(std::string("This looks like '") + format->name +
                              "', which is not supported.");
  }
  return format;
}

int refuse_to_open(AVFormatContext* format, AVIOContext**, const char*, int, AVDictionary**) {
  ++static_cast<Container::References*>(format->opaque)->count;
  return AVERROR(EACCES);
}

// Notices in the log that the mov demuxer skipped tracks in other files, which only its log
// reports. All other log lines are dropped: they quote the file, and nobody reads them.
void watch_log(void* object, int, const char* message, va_list) {
  if (object == nullptr || *static_cast<const AVClass**>(object) != avformat_get_class()) return;
  auto* references =
      static_cast<Container::References*>(static_cast<AVFormatContext*>(object)->opaque);
  if (references != nullptr && std::string_view(message).starts_with("Skipped opening external")) {
    ++references->count;
  }
}

class Dictionary {
 public:
  Dictionary() = default;
  Dictionary(const Dictionary&) = delete;
  Dictionary& operator=(const Dictionary&) = delete;
  ~Dictionary() { av_dict_free(&entries_); }

  void set(const char* key, const std::string& value) {
    av_dict_set(&entries_, key, value.c_str(), 0);
  }
  AVDictionary** get() { return &entries_; }

 private:
  AVDictionary* entries_ = nullptr;
};

// Names the layout. FFmpeg knows one for some numbers of channels; any other is given as a number
// alone.
std::string layout_of(int channels) {
  AVChannelLayout usual{};
  av_channel_layout_default(&usual, channels);
  return std::to_string(channels) + (usual.order == AV_CHANNEL_ORDER_UNSPEC ? " channels" : "c");
}

// Shortens what FFmpeg reads of a stream before its first packet: usually up to 5 s of audio, or 1
// MB of samples that might hide another codec. A decoder finds out what is left open.
void expect_live(AVFormatContext& format) {
  format.max_analyze_duration = AV_TIME_BASE / 5;
  format.probesize = 16 << 10;
  format.max_probe_packets = 4;
}

void describe_input(Dictionary& settings, const Options& options) {
  settings.set("format_whitelist", demuxer_list());
  settings.set("codec_whitelist", decoder_list());
  settings.set("protocol_whitelist", "none");
  if (!is_raw_pcm(options.format)) return;
  settings.set("sample_rate",
               std::to_string(options.sample_rate > 0 ? options.sample_rate : 16000));
  settings.set("ch_layout", layout_of(std::max(options.channels, 1)));
}

// Returns whether the stream's first packets have to be looked at.
bool is_looked_at(const AVFormatContext& format, const AVStream& stream) {
  const AVCodecID codec = stream.codecpar->codec_id;
  switch (stream.codecpar->codec_type) {
    case AVMEDIA_TYPE_AUDIO:
    case AVMEDIA_TYPE_VIDEO:
      return true;
    case AVMEDIA_TYPE_UNKNOWN:
    case AVMEDIA_TYPE_DATA:
      // MPEG transport streams may say less than what FFmpeg finds out from the first packets, or
      // call it private.
      return codec == AV_CODEC_ID_NONE || codec == AV_CODEC_ID_BIN_DATA;
    case AVMEDIA_TYPE_SUBTITLE:
      // FFmpeg would read on until it found a picture.
      return counts_subtitles(format) && codec != AV_CODEC_ID_HDMV_PGS_SUBTITLE;
    default:
      return false;
  }
}

template <class Predicate>
void discard_unless(AVFormatContext& format, Predicate is_wanted) {
  for (unsigned i = 0; i < format.nb_streams; ++i) {
    AVStream& stream = *format.streams[i];
    if (!is_wanted(stream)) stream.discard = AVDISCARD_ALL;
  }
}

Error damaged_header(const std::string& container) {
  return {Errc::nothing_decodable,
          "The file begins like '" + container.substr(0, container.find(',')) +
              "', but its header is damaged and no audio was found.",
          "Play it in another program; if that works, convert it to wav or flac and try again."};
}

}  // namespace

Result<Container> Container::open(DescriptorInput& input, const Options& options) {
  av_log_set_callback(watch_log);
  const auto recognised = recognise(input, options);
  if (!recognised) return recognised.error();

  Container container;
  AVFormatContext* format = avformat_alloc_context();
  if (format == nullptr) throw std::bad_alloc();
  format->pb = input.context();
  format->flags |= AVFMT_FLAG_CUSTOM_IO;
  format->io_open = refuse_to_open;
  format->opaque = container.references_.get();
  if (options.unbuffered) expect_live(*format);

  Dictionary settings;
  describe_input(settings, options);
  // On failure the context is freed by FFmpeg.
  const int opened = avformat_open_input(&format, "", *recognised, settings.get());
  const Error failure = damaged_header((*recognised)->name);
  if (opened < 0 && container.referred_elsewhere())
    return refers_to_other_files((*recognised)->name);
  if (opened < 0) return explain(input, failure);
  container.format_.reset(format);

  discard_unless(*format, [&](const AVStream& stream) { return is_looked_at(*format, stream); });
  // Only the start of a video stream is needed, not its frame rate.
  format->fps_probe_size = 0;
  // A failure here leaves tracks with unknown parameters, which the decoder then reports. Those of
  // raw PCM are known, and looking for more would wait for seconds of sound.
  if (!is_raw_pcm(options.format)) avformat_find_stream_info(format, nullptr);
  discard_unless(*format, [](const AVStream& stream) {
    return stream.codecpar->codec_type == AVMEDIA_TYPE_AUDIO;
  });
  if (const auto status = input.status(); !status) return status.error();
  return container;
}

std::string Container::name() const {
  const std::string_view names = format_->iformat->name;
  if (names.find(',') == names.npos) return std::string(names);
  if (names.starts_with("mov")) {
    const AVDictionaryEntry* brand = av_dict_get(format_->metadata, "major_brand", nullptr, 0);
    if (brand != nullptr && std::string_view(brand->value).starts_with("qt")) return "mov";
    if (brand != nullptr && std::string_view(brand->value).starts_with("3g")) return "3gp";
    if (brand != nullptr && std::string_view(brand->value).starts_with("M4A")) return "m4a";
    return "mp4";
  }
  return std::string(names.substr(0, names.find(',')));
}

Error refers_to_other_files(const std::string& container) {
  return {Errc::refers_to_other_files,
          "This input ('" + container +
              "') only refers to other files or addresses; they are never opened.",
          "Send the recording itself."};
}

}  // namespace engine::media
