#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <utility>

#include "protocol/base64.h"
#include "protocol/error_text.h"
#include "protocol/json_parse.h"
#include "protocol/openai/realtime/adapter.h"
#include "protocol/openai/realtime/field_values.h"
#include "protocol/openai/realtime/long_append.h"
#include "protocol/openai/realtime/session_update.h"

// What a client sends to a Realtime session.
namespace protocol::openai::realtime {
namespace {

using live::Actions;

constexpr std::size_t most_sound = 15 << 20;    // bytes of one event
constexpr std::size_t most_fields = 256 << 10;  // bytes of one event beside its sound
constexpr std::size_t most_id = 512;
constexpr std::size_t most_title = 1024;
constexpr double least_commit_s = 0.1;
constexpr double sum_rounding_s = 1e-6;
constexpr char invalid_event[] = "invalid_event";
constexpr char not_an_event[] = " Send each event as one JSON object with a type.";
constexpr char no_such_item[] =
    "There is no item of this id. Use an id of conversation.item.added.";

constexpr json::Limits event_limits{.depth = 16, .values = 10'000};

std::string text_of(const nlohmann::json& body, const char* name) {
  const auto* value = find(body, name);
  return value && value->is_string() ? value->get<std::string>() : "";
}

std::size_t bytes_of_sample(const live::SoundFormat& format) {
  return format.type == live::SampleType::s16le ? 2 : 1;
}

// Returns the sound of an event in base64; nullptr: it has none.
const std::string* sound_of(const nlohmann::json& body, const LongAppend* cut) {
  const auto* audio = find(body, "audio");
  if (!audio || !audio->is_string()) return nullptr;
  if (!cut) return &audio->get_ref<const std::string&>();
  return cut->audio ? &*cut->audio : nullptr;
}

// Reads the audio of an event. It may begin and end within a sample.
Checked<std::string> read_sound(const std::string* audio) {
  if (!audio) return wrong("audio", "This must be audio in base64.");
  const std::string& text = *audio;
  if (decoded_base64_size(text.size()) > most_sound + 2) {
    return wrong("audio", "An event may have at most 15 MiB of audio. Send it in several events.");
  }
  auto sound = decode_base64(text);
  if (!sound)
    return wrong("audio", "This is not valid base64. Encode the samples in standard base64.");
  return *std::move(sound);
}

Refusal too_little_sound(double buffered_s) {
  std::array<char, 32> ms{};
  std::snprintf(ms.data(), ms.size(), "%.2f", buffered_s * 1000);
  return {"input_audio_buffer_commit_empty",
          std::string("The buffer is too small. Expected at least 100ms of audio, but the buffer "
                      "only has ") +
              ms.data() + "ms of audio. Append more before you commit."};
}

}  // namespace

struct RealtimeAdapter::Row {
  std::string_view type;
  Handler handle;
};

Actions RealtimeAdapter::receive_text(std::string_view text) {
  static constexpr std::array table{
      Row{"session.update", &RealtimeAdapter::update_session},
      Row{"transcription_session.update", &RealtimeAdapter::update_flat_session},
      Row{"input_audio_buffer.append", &RealtimeAdapter::append},
      Row{"input_audio_buffer.commit", &RealtimeAdapter::commit},
      Row{"input_audio_buffer.clear", &RealtimeAdapter::clear},
      Row{"conversation.item.retrieve", &RealtimeAdapter::retrieve_item},
      Row{"conversation.item.delete", &RealtimeAdapter::delete_item},
      Row{"scribed.keep", &RealtimeAdapter::keep}};
  if (close_) return {};
  const auto cut = split_append(text);
  if (cut) text = cut->rest;
  if (text.size() > most_fields) {
    return refuse({invalid_event,
                   "Besides its audio an event may have at most 256 KiB. Send less in one event."},
                  "");
  }
  const auto body = json::parse_object(text, event_limits);
  if (!body) return refuse({invalid_event, body.error().message + not_an_event}, "");
  Incoming in{*body, text_of(*body, "event_id"), cut ? &*cut : nullptr};
  if (in.id.size() > most_id) in.id.clear();
  const std::string type = text_of(*body, "type");
  if (type.empty())
    return refuse({invalid_event,
                   "The event has no type. Name one, as in input_audio_buffer.append.", "type"},
                  in.id);
  for (const auto& row : table) {
    if (row.type == type) return (this->*row.handle)(in);
  }
  return refuse(
      wrong("type",
            "A transcription session has no events of this type. Send session.update, "
            "input_audio_buffer.append, .commit or .clear, or conversation.item.retrieve or "
            ".delete."),
      in.id);
}

Actions RealtimeAdapter::receive_bytes(std::string_view) {
  if (close_) return {};
  return refuse({invalid_event,
                 "Binary frames are not read. Send audio in text frames, as base64 in "
                 "input_audio_buffer.append."},
                "");
}

Actions RealtimeAdapter::update_session(const Incoming& in) {
  const auto* session = find(in.body, "session");
  if (!session)
    return refuse(wrong("session", "The session is missing. Send it as the object session."),
                  in.id);
  auto next = updated(config_, *session);
  if (!next) return refuse(next.error(), in.id);
  if (is_flat(*session)) setup_.revision = Revision::beta;
  return take_config(*std::move(next), in);
}

Actions RealtimeAdapter::update_flat_session(const Incoming& in) {
  setup_.revision = Revision::beta;
  return update_session(in);
}

// The model cannot change any more when the session has begun, or is a job that names it.
Actions RealtimeAdapter::take_config(SessionConfig next, const Incoming& in) {
  if (is_open_ && next.format != config_.format) {
    const char* field = is_beta() ? "session.input_audio_format" : "session.audio.input.format";
    return refuse(
        wrong(field,
              "The format cannot change after the first audio. Open another session for it."),
        in.id);
  }
  if (is_open_ || keep_) next.model = config_.model;
  if (next.model != config_.model) {
    if (const auto found = setup_.find_model(next.model); !found) {
      const char* field = is_beta() ? "session.input_audio_transcription.model"
                                    : "session.audio.input.transcription.model";
      return refuse({"model_not_found", error_text(found.error()), field}, in.id);
    }
  }
  if (const auto problem = language_problem(next)) return refuse(*problem, in.id);
  const LiveSettings before = live_settings(config_, setup_.options);
  const LiveSettings after = live_settings(next, setup_.options);
  config_ = std::move(next);
  Actions actions;
  if (is_open_ && before != after) actions.emplace_back(live::Configure{.settings = after});
  const char* type = is_beta() ? "transcription_session.updated" : "session.updated";
  actions.emplace_back(send(type, {{"session", session_json()}}));
  return actions;
}

// A language that the model does not know would end the session with its first audio.
std::optional<Refusal> RealtimeAdapter::language_problem(const SessionConfig& next) const {
  const auto model = setup_.find_model(next.model);
  if (!model || !setup_.check_languages) return std::nullopt;
  const std::string field =
      is_beta() ? "session.input_audio_transcription" : "session.audio.input.transcription";
  if (next.language != any_language && !next.language.empty()) {
    const auto known = setup_.check_languages(*model, {&next.language, 1});
    if (!known) return wrong(field + ".language", error_text(known.error()));
  }
  const auto listed = setup_.check_languages(*model, next.languages);
  if (!listed) return wrong(field + ".languages", error_text(listed.error()));
  return std::nullopt;
}

// Returns the installed model of the session; empty: the server's default, which may be none, too.
std::string RealtimeAdapter::session_model() const {
  const auto found = setup_.find_model(config_.model);
  return found ? *found : "";
}

// A session begins with its first sound, because what a client sets before may decide its model.
Actions RealtimeAdapter::open() const {
  live::Open open;
  open.model = session_model();
  open.options = transcribe_options(config_, setup_.options);
  open.settings = live_settings(config_, setup_.options);
  return {std::move(open)};
}

Actions RealtimeAdapter::append(const Incoming& in) {
  auto given = read_sound(sound_of(in.body, in.cut));
  if (!given) return refuse(given.error(), in.id);
  const std::size_t width = bytes_of_sample(config_.format);
  std::string sound = whole_frames_.take(*std::move(given), width);
  if (sound.empty()) return {};
  Actions actions;
  if (!std::exchange(is_open_, true)) actions = open();
  pushed_s_ += static_cast<double>(sound.size() / width) / config_.format.rate;
  actions.emplace_back(live::Sound{.format = config_.format, .bytes = std::move(sound)});
  return actions;
}

Actions RealtimeAdapter::commit(const Incoming& in) {
  const double buffered_s = std::max(0.0, pushed_s_ - taken_s_);
  if (buffered_s < least_commit_s - sum_rounding_s)
    return refuse(too_little_sound(buffered_s), in.id);
  taken_s_ = pushed_s_;
  whole_frames_.drop();  // each buffer begins with a complete sample
  Actions actions{live::Commit{}};
  add_commit(actions, conversation_.of_commit(pushed_s_));
  return actions;
}

// Clients take `cleared` behind their last commit as the end of all turns. Where sound comes faster
// than it is heard, there may be some that nobody knows of yet.
Actions RealtimeAdapter::clear(const Incoming&) {
  Actions actions;
  if (is_open_) actions.emplace_back(live::Clear{});
  conversation_.clear(pushed_s_);
  whole_frames_.drop();
  taken_s_ = pushed_s_;
  clears_.push_back(conversation_.commits());
  add_cleared(actions);
  return actions;
}

Actions RealtimeAdapter::retrieve_item(const Incoming& in) {
  const KeptItem* item = conversation_.find(text_of(in.body, "item_id"));
  if (!item) {
    return refuse({"item_retrieve_invalid_item_id", no_such_item, "item_id"}, in.id);
  }
  const Json body = item_json(item->id, item->transcript, setup_.revision);
  return {send("conversation.item.retrieved", {{"item", body}})};
}

Actions RealtimeAdapter::delete_item(const Incoming& in) {
  const std::string id = text_of(in.body, "item_id");
  if (!conversation_.remove(id)) {
    return refuse({"item_delete_invalid_item_id", no_such_item, "item_id"}, in.id);
  }
  return {send("conversation.item.deleted", {{"item_id", id}})};
}

// An extension of this server: the session becomes a job, with its sound. A session that is one
// already stays the same.
Actions RealtimeAdapter::keep(const Incoming& in) {
  if (!job_.empty()) return {send("scribed.kept", {{"job_id", job_}})};
  std::string title;
  if (const auto* given = find(in.body, "title")) {
    auto problem = take(read_text(*given, "title", most_title), title);
    if (problem) return refuse(*problem, in.id);
  }
  if (keep_) return {};  // its answer is on the way
  keep_ = in.id;
  return {live::Keep{.title = std::move(title),
                     .model = session_model(),
                     .options = transcribe_options(config_, setup_.options)}};
}

}  // namespace protocol::openai::realtime
