#include "engine/media/options.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "engine/media/allow_lists.h"
#include "protocol/languages.h"

namespace engine::media {
namespace {

Error invalid(std::string message) {
  return {Errc::invalid_options, std::move(message), "scribed-decode --help lists the options."};
}

template <class Number>
Result<Number> number(std::string_view option, std::string_view text, Number least, Number most) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  // The comparison is written so that NaN, which compares false with everything, is refused too.
  const bool fits = value >= least && value <= most;
  if (error != std::errc{} || end != text.data() + text.size() || !fits) {
    return invalid(std::string(option) + " cannot be '" + std::string(text) + "'.");
  }
  return value;
}

template <class Number>
Result<void> store(Number& into, const Result<Number>& parsed) {
  if (!parsed) return parsed.error();
  into = *parsed;
  return {};
}

Result<void> set_language(std::string& into, std::string_view option, std::string_view value) {
  const auto code = protocol::language_code(value);
  if (!code) return invalid(std::string(option) + " cannot be '" + std::string(value) + "'.");
  into = *code;
  return {};
}

// A track is named by its number, or by its language.
Result<void> set_track(TrackWish& wish, std::string_view value) {
  const bool is_number = !value.empty() && value.find_first_not_of("0123456789") == value.npos;
  if (!is_number) return set_language(wish.language, "--track", value);
  return store(wish.number, number("--track", value, 1, std::numeric_limits<int>::max()));
}

Result<void> apply(Options& options, std::string_view name, std::string_view value) {
  constexpr int any = std::numeric_limits<int>::max();
  if (name == "--format") {
    options.format = value;
    return {};
  }
  if (name == "--extension") {
    options.extension = value;
    return {};
  }
  if (name == "--report-fd") return store(options.report_fd, number(name, value, 0, any));
  if (name == "--sample-rate") {
    return store(options.sample_rate, number(name, value, min_sample_rate_hz, max_sample_rate_hz));
  }
  if (name == "--channels") return store(options.channels, number(name, value, 1, 64));
  if (name == "--track") return set_track(options.track, value);
  if (name == "--prefer-language") return set_language(options.track.preferred, name, value);
  if (name == "--channel") return store(options.channel, number(name, value, 1, any));
  if (name == "--max-seconds") return store(options.max_seconds, number(name, value, 0.0, 1e9));
  if (name == "--max-bytes") {
    return store(options.max_bytes,
                 number<std::int64_t>(name, value, 0, std::numeric_limits<std::int64_t>::max()));
  }
  if (name == "--sound-fd") return store(options.sound_fd, number(name, value, 3, any));
  if (name == "--sound-bytes") {
    return store(options.sound_bytes,
                 number<std::int64_t>(name, value, 0, std::numeric_limits<std::int64_t>::max()));
  }
  if (name == "--resampler" && (value == "soxr" || value == "swr")) {
    options.resampling = value == "swr" ? Resampling::swr : Resampling::soxr;
    return {};
  }
  if (name == "--timeline" && (value == "player" || value == "packed")) {
    options.packed = value == "packed";
    return {};
  }
  if (name == "--timeline") return invalid("--timeline cannot be '" + std::string(value) + "'.");
  if (name == "--resampler") return invalid("--resampler cannot be '" + std::string(value) + "'.");
  return invalid("There is no option '" + std::string(name) + "'.");
}

Result<void> check_together(const Options& options) {
  if (!options.format.empty() && !is_raw(options.format) && !is_container(options.format)) {
    return invalid("--format cannot be '" + options.format + "'.");
  }
  const bool describes_raw = options.sample_rate != 0 || options.channels != 0;
  if (describes_raw && !is_raw_pcm(options.format)) {
    return invalid(
        "--sample-rate and --channels describe raw PCM and need --format s16le or another "
        "raw PCM format.");
  }
  return {};
}

}  // namespace

Result<Options> parse_options(std::span<const char* const> args) {
  Options options;
  for (std::size_t i = 0; i < args.size(); ++i) {
    std::string_view name = args[i];
    if (name == "--help") {
      options.help = true;
    } else if (name == "--unbuffered") {
      options.unbuffered = true;
    } else if (name == "--memory-on-request") {
      options.memory_on_request = true;
    } else if (name == "--check-sandbox") {
      options.check_sandbox = true;
    } else if (name == "--require-sandbox") {
      options.require_sandbox = true;
    } else if (name == "--fork-server") {
      options.fork_server = true;
    } else {
      std::optional<std::string_view> value;
      if (const auto equals = name.find('='); equals != name.npos) {
        value = name.substr(equals + 1);
        name = name.substr(0, equals);
      } else if (i + 1 < args.size()) {
        value = args[++i];
      }
      const auto applied = apply(options, name, value.value_or(""));
      if (!applied) return applied.error();
    }
  }
  if (const auto fits = check_together(options); !fits) return fits.error();
  return options;
}

const char* usage() {
  return R"(scribed-decode: sound or video on standard input, 16 kHz mono float PCM on standard output

  --format NAME        wav, mp3, mp4 …; needed only for raw input: s16le, mulaw, g722 …
  --extension EXT      of the file's name; it tells G.722, which has no header
  --sample-rate HZ     of raw PCM (16000)
  --channels N         of raw PCM (1)
  --track N|LANG       audio track, counted from 1, or by its language; otherwise the default track,
                       and no commentary or audio description if there is another
  --prefer-language L  a track in this language is taken before the default one
  --channel N          one channel, counted from 1 (all channels mixed)
  --resampler NAME     soxr (the default), or swr: FFmpeg's own, as its command line uses it
  --timeline NAME      player (the default): silence fills late starts and holes between packets;
                       packed: packets follow each other, whatever their timestamps say
  --max-seconds S      fail when there is more sound than this
  --max-bytes N        fail when there is more input than this
  --unbuffered         pass every packet on at once, not half a second together
  --sound-fd N         a file of this descriptor also gets the sound, as s16: all channels mixed
  --sound-bytes N      the most that it gets; more sound is not kept, which is a warning
  --report-fd N        JSON lines about format, warnings and the end go to this descriptor
  --memory-on-request  start with little memory and ask for more in the report, for scribed alone
  --check-sandbox      print which parts of the sandbox this machine has, as JSON
  --require-sandbox    read nothing where a part of it is missing
  --fork-server        fork a decoder for each request on the socket that is standard input
  --help

Exit status: 0 done (also with warnings) · 2 invalid options · 3 empty input · 4 unsupported format ·
5 the input only refers to other files · 6 no audio track · 7 unsupported codec · 8 nothing could be
decoded · 9 the audio track is empty · 10 no such track · 11 no such channel · 12 the input must be a
regular file · 13 too long · 14 too large · 15 reading failed · 16 writing failed · 17 out of memory ·
18 internal error · 19 a part of the sandbox is missing
)";
}

}  // namespace engine::media
