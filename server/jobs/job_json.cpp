#include "server/jobs/job_json.h"

#include "protocol/error_fields.h"
#include "protocol/json_parse.h"
#include "protocol/json_text.h"
#include "protocol/option_table.h"
#include "protocol/transcript_fields.h"

namespace protocol::json {

using Decoder = server::DecoderOptions;

template <>
inline constexpr auto fields<Decoder> = std::tuple{
    Field{"audio_track", &Decoder::track},
    Field{"channel", &Decoder::channel},
    Field{"input_format", &Decoder::input_format},
    Field{"input_sample_rate", &Decoder::input_sample_rate},
    Field{"input_channels", &Decoder::input_channels},
    Field{"max_seconds", &Decoder::max_seconds},
    Field{"timeline", &Decoder::timeline},
};

template <>
inline constexpr auto fields<server::Trace> = std::tuple{
    Field{"request_id", &server::Trace::request_id},
    Field{"trace_id", &server::Trace::trace_id},
    Field{"span_id", &server::Trace::span_id},
};

using Request = server::JobRequest;

template <>
inline constexpr auto fields<Request> = std::tuple{
    Field{"model", &Request::model},
    Field{"input", &Request::input},
    Field{"input_is_ours", &Request::input_is_ours},
    Field{"title", &Request::title},
    Field{"owner", &Request::owner},
    Field{"idempotency_key", &Request::idempotency_key},
    Field{"fingerprint", &Request::fingerprint},
    Field{"options", &Request::options},
    Field{"decoder", &Request::decoder},
    Field{"split_channels", &Request::split_channels},
    Field{"channel_labels", &Request::channel_labels},
    Field{"keep_alive_s", &Request::keep_alive_s},
    Field{"webhook", &Request::webhook},
    Field{"metadata", &Request::metadata},
    Field{"bulk", &Request::bulk},
    Field{"trace", &Request::trace},
    Field{"live", &Request::live},
};

}  // namespace protocol::json

namespace server {
namespace {

namespace json = protocol::json;

// Nobody but this program writes the stored text, and a day of speech has many turns.
constexpr json::Limits stored_limits{.values = 4'000'000};

// Returns what is wrong with the text; empty: nothing. Stored text outlives the version that wrote
// it: a missing field has its default, and an unknown one is skipped, so that a job of another
// version of scribed is still done. Messages of clients and workers are read strictly instead.
template <class T>
std::string decode(const std::string& text, T& value) {
  const auto object = json::parse_object(text, stored_limits);
  if (!object) return object.error().message;
  json::Reader reader(json::Missing::keeps_its_default);
  reader.read(*object, "", value);
  return reader.problem();
}

template <class T>
Result<T> decoded(const std::string& text) {
  T value;
  const std::string problem = decode(text, value);
  if (!problem.empty()) return Error{protocol::bad_message, problem, ""};
  return value;
}

}  // namespace

std::uint64_t stored_bytes_of(const JobRequest& request) {
  return encode(request).size() + encode(request.options).size();
}

protocol::TranscribeOptions shown_options(const protocol::TranscribeOptions& options) {
  protocol::TranscribeOptions shown;
  shown.task = options.task;
  shown.language = options.language;
  shown.word_timestamps = options.word_timestamps;
  shown.language_only = options.language_only;
  shown.diarize = options.diarize;
  shown.clip_timestamps = options.clip_timestamps;
  if (shown.clip_timestamps.size() > 2) shown.clip_timestamps.resize(2);
  return shown;
}

std::string encode(const JobRequest& request) {
  JobRequest shown = request;
  shown.options = shown_options(request.options);
  return json::dump(json::write(shown));
}

std::string encode(const protocol::TranscribeOptions& options) {
  return json::dump(json::write(options));
}

Result<protocol::TranscribeOptions> decode_options(const std::string& text) {
  return decoded<protocol::TranscribeOptions>(text);
}

Result<JobRequest> decode_request(const std::string& text) {
  return decoded<JobRequest>(text);
}

std::string encode(const protocol::Segment& segment) {
  return json::dump(json::write(segment));
}

Result<protocol::Segment> decode_segment(const std::string& text) {
  return decoded<protocol::Segment>(text);
}

std::string encode(const protocol::Transcript& summary) {
  protocol::Transcript kept = summary;
  kept.text.clear();
  kept.segments.clear();
  return json::dump(json::write(kept));
}

protocol::Transcript decode_summary(const std::string& text) {
  protocol::Transcript summary;
  return decode(text, summary).empty() ? summary : protocol::Transcript{};
}

std::string encode(const protocol::SpeakerNames& names) {
  return json::dump(nlohmann::json(names));
}

protocol::SpeakerNames decode_speaker_names(const std::string& text) {
  protocol::SpeakerNames names;
  const auto object = json::parse_object(text);
  if (!object) return names;
  for (const auto& [label, name] : object->items()) {
    if (name.is_string()) names.emplace(label, name.get<std::string>());
  }
  return names;
}

std::string encode(const protocol::Error& error) {
  return json::dump(json::write(error));
}

protocol::Error decode_error(const std::string& text) {
  protocol::Error error;
  return decode(text, error).empty() ? error : Error{errc::internal, text, ""};
}

}  // namespace server
