#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "protocol/json_parse.h"
#include "protocol/openai/realtime/adapter.h"

using namespace protocol;
using namespace protocol::openai::realtime;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

// What a client may rely on, whatever it sends and the session tells.
class Watch {
 public:
  void take(const live::Actions& actions) {
    for (const auto& action : actions) {
      if (const auto* send = std::get_if<live::Send>(&action)) take_frame(send->bytes);
      if (std::holds_alternative<live::Open>(action)) require(!std::exchange(is_open_, true));
      if (const auto* sound = std::get_if<live::Sound>(&action)) {
        require(is_open_ && !sound->bytes.empty());
        require(sound->format.type != live::SampleType::s16le || sound->bytes.size() % 2 == 0);
      }
      const bool needs_session = std::holds_alternative<live::Commit>(action) ||
                                 std::holds_alternative<live::Clear>(action) ||
                                 std::holds_alternative<live::Configure>(action);
      require(!needs_session || is_open_);
    }
  }

  void require_all_ended() const { require(committed_.empty()); }

 private:
  void take_frame(const std::string& bytes) {
    const auto frame = json::parse_object(bytes);
    require(frame && bytes.find('\n') == std::string::npos);
    require(events_.insert((*frame)["event_id"].get<std::string>()).second);
    const auto type = (*frame)["type"].get<std::string>();
    const auto id = frame->value("item_id", "");
    const bool is_end = type.ends_with("transcription.completed") || type.ends_with(".failed");
    if (type == "input_audio_buffer.committed") {
      require(seen_.insert(id).second && committed_.insert(id).second);
    }
    if (is_end) require(committed_.erase(id) == 1 && ended_.insert(id).second);
    const bool is_text = type.ends_with(".delta") || type.ends_with(".segment");
    if (is_text) require(!ended_.contains(id));
    if (type == "scribed.tail" && !(*frame)["item_id"].is_null()) require(!ended_.contains(id));
  }

  bool is_open_ = false;
  std::set<std::string> events_{};
  std::set<std::string> seen_{};
  std::set<std::string> committed_{};  // and not ended
  std::set<std::string> ended_{};
};

double seconds_at(std::string_view line, std::size_t at) {
  return at < line.size() ? static_cast<unsigned char>(line[at]) / 8.0 : 0;
}

// "!s1AB" is an event: its kind, the turn, and two times.
live::Actions tell(RealtimeAdapter& adapter, std::string_view line) {
  const char kind = line.size() > 1 ? line[1] : ' ';
  const int turn = line.size() > 2 ? line[2] - '0' : 1;
  const double start = seconds_at(line, 3), end = seconds_at(line, 4);
  const std::string text(line.substr(line.size() < 5 ? line.size() : 5));
  if (kind == 's') return adapter.tell(0, SpeechStarted{turn, start});
  if (kind == 'p') return adapter.tell(0, SpeechStopped{turn, end});
  if (kind == 'w') return adapter.tell(0, LiveWords{turn, {Word{start, end, text, 0.5, 1}}});
  if (kind == 'f') return adapter.tell_failure(0, {"worker_died", text, ""});
  if (kind == 't') return adapter.tick(end);
  if (kind == 'b') return adapter.receive_bytes(text);
  if (kind == 'l') return adapter.tell(0, LiveText{end, "", text});
  if (kind == 'k') return adapter.tell_kept(0, std::string("job"));
  if (kind == 'n') return adapter.tell_kept(0, Error{"out_of_disk", text, ""});
  TurnEnded ended{.turn = turn, .start_s = start, .end_s = end, .text = text};
  ended.cause = static_cast<TurnCause>(static_cast<unsigned char>(kind) % 4);
  ended.speaker = kind == 'd' ? "A" : "";
  return adapter.tell(0, ended);
}

}  // namespace

// Each line is a frame of the client or, with "!", an event.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  double now = 0;
  RealtimeAdapter adapter({.seed = "fuzz",
                           .config = {.model = "base"},
                           .find_model = [](const std::string&) { return std::string(); },
                           .now = [&now] { return now += 1; },
                           .most_session_s = 1000,
                           .most_silent_s = 30});
  Watch watch;
  watch.take(adapter.begin());
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  while (!rest.empty()) {
    const auto end = rest.find('\n');
    const auto line = rest.substr(0, end);
    watch.take(line.starts_with('!') ? tell(adapter, line) : adapter.receive_text(line));
    rest = end == std::string_view::npos ? "" : rest.substr(end + 1);
  }
  watch.take(adapter.tell_shutdown());
  watch.take(adapter.tell_end(0));
  watch.require_all_ended();
  return 0;
}
