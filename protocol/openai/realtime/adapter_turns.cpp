#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "protocol/json_numbers.h"
#include "protocol/openai/realtime/adapter.h"

// What a Realtime session tells its client of turns.
namespace protocol::openai::realtime {
namespace {

using live::Actions;

long long ms_of(double seconds) {
  return std::llround(seconds * 1000);
}

Json id_or_null(const std::optional<std::string>& text) {
  return text ? Json(*text) : Json();
}

}  // namespace

Actions RealtimeAdapter::tell(int, const TranscriptEvent& event) {
  if (const auto* started = std::get_if<SpeechStarted>(&event)) return on_speech_started(*started);
  if (const auto* stopped = std::get_if<SpeechStopped>(&event)) return on_speech_stopped(*stopped);
  if (const auto* words = std::get_if<LiveWords>(&event)) return on_words(*words);
  if (const auto* turn = std::get_if<TurnEnded>(&event)) return on_turn_ended(*turn);
  if (const auto* look = std::get_if<LiveText>(&event)) return on_look(*look);
  if (const auto* progress = std::get_if<Progress>(&event)) return on_progress(*progress);
  return {};
}

// Clients that end turns themselves do not expect to hear of speech, nor does who has committed it.
Actions RealtimeAdapter::on_speech_started(const SpeechStarted& event) {
  Item* item = conversation_.of_turn(event.turn, event.start_s);
  if (!item || item->is_started || item->is_committed || !detects_turns()) return {};
  item->is_started = true;
  return {send("input_audio_buffer.speech_started",
               {{"audio_start_ms", ms_of(event.start_s)}, {"item_id", item->id}})};
}

Actions RealtimeAdapter::on_speech_stopped(const SpeechStopped& event) {
  taken_s_ = std::max(taken_s_, event.end_s);
  Item* item = conversation_.known(event.turn);
  if (!item) return {};
  Actions actions;
  add_stop(actions, *item, event.end_s);
  add_commit(actions, *item);
  return actions;
}

Actions RealtimeAdapter::on_words(const LiveWords& event) {
  if (event.words.empty()) return {};
  Item* item = conversation_.of_turn(event.turn, event.words.front().start);
  if (!item) return {};
  const std::string text = delta_text(event.words, !item->has_words);
  if (text.empty()) return {};
  item->has_words = true;
  Json fields{{"item_id", item->id}, {"content_index", 0}, {"delta", text}};
  if (config_.include_logprobs) fields["logprobs"] = logprobs_json(event.words);
  return {send("conversation.item.input_audio_transcription.delta", std::move(fields))};
}

Actions RealtimeAdapter::on_turn_ended(const TurnEnded& event) {
  const bool is_answer = event.cause == TurnCause::client;
  Item* item = is_answer ? &conversation_.of_answer(event.turn)
                         : conversation_.of_turn(event.turn, event.start_s);
  if (!is_answer) taken_s_ = std::max(taken_s_, event.end_s);
  if (!item) return {};
  Actions actions;
  const bool is_known = item->is_committed || item->is_started || item->has_words;
  if (is_known || !event.text.empty()) {
    add_stop(actions, *item, event.end_s);
    add_commit(actions, *item);
    Json place{{"item_id", item->id}, {"content_index", 0}};
    if (tells_speakers(config_) && !event.speaker.empty()) {
      Json fields = place;
      fields["id"] = "seg_" + std::to_string(++segments_);
      fields.update(segment_json(event));
      actions.emplace_back(
          send("conversation.item.input_audio_transcription.segment", std::move(fields)));
    }
    place.update(completed_json(event, config_.include_logprobs));
    actions.emplace_back(
        send("conversation.item.input_audio_transcription.completed", std::move(place)));
  }
  conversation_.end(*item, event.text);
  add_cleared(actions);
  return actions;
}

// The text that may still change follows the item's deltas, and each event replaces the one before.
// The uncertain tail is told only until its item has its text.
Actions RealtimeAdapter::on_look(const LiveText& look) {
  const Item* item = conversation_.newest();
  return tell_tail(item, item ? look.tail : "", look.heard_s);
}

// Nobody speaks, and the session still goes on.
Actions RealtimeAdapter::on_progress(const Progress& progress) {
  if (conversation_.newest()) return {};
  return tell_tail(nullptr, "", progress.position_s);
}

Actions RealtimeAdapter::tell_tail(const Item* item, const std::string& text, double heard_s) {
  if (!config_.include_tail) return {};
  live::Send told = send("scribed.tail", {{"item_id", item ? Json(item->id) : Json()},
                                          {"text", text},
                                          {"heard_s", json::seconds(heard_s)}});
  told.replaces = "scribed.tail";
  return {std::move(told)};
}

void RealtimeAdapter::add_stop(Actions& actions, Item& item, double end_s) {
  if (!item.is_started || item.is_stopped || item.is_committed) return;
  item.is_stopped = true;
  actions.emplace_back(send("input_audio_buffer.speech_stopped",
                            {{"audio_end_ms", ms_of(end_s)}, {"item_id", item.id}}));
}

void RealtimeAdapter::add_commit(Actions& actions, Item& item) {
  if (item.is_committed) return;
  const Json previous = id_or_null(conversation_.commit(item));
  actions.emplace_back(
      send("input_audio_buffer.committed", {{"previous_item_id", previous}, {"item_id", item.id}}));
  const Json fields{{"previous_item_id", previous},
                    {"item", item_json(item.id, std::nullopt, setup_.revision)}};
  if (is_beta()) {
    actions.emplace_back(send("conversation.item.created", fields));
  } else {
    actions.emplace_back(send("conversation.item.added", fields));
    actions.emplace_back(send("conversation.item.done", fields));
  }
}

void RealtimeAdapter::add_cleared(Actions& actions) {
  while (!clears_.empty() && clears_.front() <= conversation_.answers()) {
    clears_.pop_front();
    actions.emplace_back(send("input_audio_buffer.cleared", Json::object()));
  }
}

void RealtimeAdapter::add_failures(Actions& actions, const Refusal& why) {
  for (auto& item : conversation_.fail()) {
    if (!item.is_committed && !item.is_started && !item.has_words) continue;
    add_commit(actions, item);
    actions.emplace_back(send(
        "conversation.item.input_audio_transcription.failed",
        {{"item_id", item.id}, {"content_index", 0}, {"error", error_json("server_error", why)}}));
  }
  add_cleared(actions);
}

}  // namespace protocol::openai::realtime
