#include "engine/media/allow_lists.h"

#include <algorithm>
#include <array>

namespace engine::media {
namespace {

using std::string_view;

constexpr std::array containers = {
    string_view{"aac"},        string_view{"ac3"},   string_view{"aiff"},   string_view{"amr"},
    string_view{"asf"},        string_view{"au"},    string_view{"avi"},    string_view{"caf"},
    string_view{"dts"},        string_view{"dtshd"}, string_view{"dv"},     string_view{"eac3"},
    string_view{"flac"},       string_view{"flv"},   string_view{"loas"},   string_view{"m4a"},
    string_view{"matroska"},   string_view{"mlp"},   string_view{"mov"},    string_view{"mp3"},
    string_view{"mp4"},        string_view{"mpeg"},  string_view{"mpegts"}, string_view{"mxf"},
    string_view{"nistsphere"}, string_view{"nut"},   string_view{"ogg"},    string_view{"truehd"},
    string_view{"tta"},        string_view{"voc"},   string_view{"w64"},    string_view{"wav"},
    string_view{"webm"},       string_view{"wv"},    string_view{"3g2"},    string_view{"3gp"},
};

constexpr std::array raw_pcm = {
    string_view{"s8"},    string_view{"u8"},    string_view{"s16le"}, string_view{"s16be"},
    string_view{"s24le"}, string_view{"s24be"}, string_view{"s32le"}, string_view{"s32be"},
    string_view{"f32le"}, string_view{"f32be"}, string_view{"f64le"}, string_view{"f64be"},
    string_view{"mulaw"}, string_view{"alaw"},
};

constexpr std::array raw_coded = {string_view{"g722"}, string_view{"gsm"}};

// FFmpeg's extensions of these two.
constexpr std::array raw_extensions = {string_view{"g722"}, string_view{"722"}, string_view{"gsm"}};

constexpr std::array elsewhere = {
    string_view{"hls"}, string_view{"concat"}, string_view{"dash"},
    string_view{"sdp"}, string_view{"rtsp"},   string_view{"imf"},
};

constexpr std::array decoders = {
    string_view{"aac"},           string_view{"aac_latm"},      string_view{"ac3"},
    string_view{"adpcm_ima_qt"},  string_view{"adpcm_ima_wav"}, string_view{"adpcm_ms"},
    string_view{"adpcm_sbpro_2"}, string_view{"adpcm_sbpro_3"}, string_view{"adpcm_sbpro_4"},
    string_view{"adpcm_swf"},     string_view{"adpcm_yamaha"},  string_view{"alac"},
    string_view{"amrnb"},         string_view{"amrwb"},         string_view{"dca"},
    string_view{"eac3"},          string_view{"flac"},          string_view{"g722"},
    string_view{"g723_1"},        string_view{"g726"},          string_view{"g726le"},
    string_view{"gsm"},           string_view{"gsm_ms"},        string_view{"mlp"},
    string_view{"mp1"},           string_view{"mp2"},           string_view{"mp3float"},
    string_view{"nellymoser"},    string_view{"opus"},          string_view{"pcm_alaw"},
    string_view{"pcm_bluray"},    string_view{"pcm_dvd"},       string_view{"pcm_f32be"},
    string_view{"pcm_f32le"},     string_view{"pcm_f64be"},     string_view{"pcm_f64le"},
    string_view{"pcm_mulaw"},     string_view{"pcm_s16be"},     string_view{"pcm_s16le"},
    string_view{"pcm_s24be"},     string_view{"pcm_s24le"},     string_view{"pcm_s32be"},
    string_view{"pcm_s32le"},     string_view{"pcm_s64be"},     string_view{"pcm_s64le"},
    string_view{"pcm_s8"},        string_view{"pcm_u8"},        string_view{"s302m"},
    string_view{"shorten"},       string_view{"speex"},         string_view{"truehd"},
    string_view{"tta"},           string_view{"vorbis"},        string_view{"wavpack"},
    string_view{"wmalossless"},   string_view{"wmapro"},        string_view{"wmav1"},
    string_view{"wmav2"},         string_view{"wmavoice"},
};

template <class List>
bool contains(const List& list, string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

template <class List>
bool contains_any_of(const List& list, string_view names) {
  while (!names.empty()) {
    const auto comma = std::min(names.find(','), names.size());
    if (contains(list, names.substr(0, comma))) return true;
    names.remove_prefix(std::min(comma + 1, names.size()));
  }
  return false;
}

template <class List>
void append(std::string& joined, const List& list) {
  for (const string_view name : list) {
    if (!joined.empty()) joined += ',';
    joined += name;
  }
}

}  // namespace

const std::string& demuxer_list() {
  static const std::string list = [] {
    std::string joined;
    append(joined, containers);
    append(joined, raw_pcm);
    append(joined, raw_coded);
    return joined;
  }();
  return list;
}

const std::string& decoder_list() {
  static const std::string list = [] {
    std::string joined;
    append(joined, decoders);
    return joined;
  }();
  return list;
}

bool is_container(string_view format) {
  return contains(containers, format);
}
bool is_raw_pcm(string_view format) {
  return contains(raw_pcm, format);
}
bool is_raw_extension(string_view extension) {
  return contains(raw_extensions, extension);
}

bool is_raw(string_view format) {
  return is_raw_pcm(format) || contains(raw_coded, format);
}
bool is_allowed_demuxer(string_view ffmpeg_name) {
  return contains_any_of(containers, ffmpeg_name) || contains(raw_coded, ffmpeg_name);
}
bool refers_elsewhere(string_view ffmpeg_name) {
  return contains_any_of(elsewhere, ffmpeg_name);
}
bool is_allowed_decoder(string_view ffmpeg_name) {
  return contains(decoders, ffmpeg_name);
}

}  // namespace engine::media
