#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>

#include "live_play.h"
#include "protocol/openai/realtime/adapter.h"

using namespace protocol::openai::realtime;

namespace {

// Every event is a line of JSON with a type and an id of its own. A turn that was committed has its
// text, or has failed, once; nothing of it comes afterwards.
class Sent {
 public:
  void take(const std::string& text) {
    const auto event = nlohmann::json::parse(text, nullptr, false);
    fuzz::must(event.is_object() && text.find('\n') == std::string::npos);
    const auto type = event.at("type").get<std::string>();
    fuzz::must(ids_.insert(event.at("event_id").get<std::string>()).second);
    if (type == "input_audio_buffer.committed") {
      fuzz::must(pending_.insert(event.at("item_id").get<std::string>()).second);
    }
    if (type.ends_with("transcription.completed") || type.ends_with("transcription.failed")) {
      const auto item = event.at("item_id").get<std::string>();
      fuzz::must(pending_.erase(item) == 1 && ended_.insert(item).second);
    }
    const bool is_text =
        type.ends_with(".delta") || type.ends_with(".segment") || type == "scribed.tail";
    const auto item = event.find("item_id");
    if (is_text && item != event.end() && item->is_string()) {
      fuzz::must(!ended_.contains(item->get<std::string>()));
    }
  }

  bool is_settled() const { return pending_.empty(); }

 private:
  std::set<std::string> ids_{};
  std::set<std::string> pending_{};
  std::set<std::string> ended_{};
};

}  // namespace

// The input is that of fuzz::LivePlay.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  RealtimeSetup setup;
  setup.seed = "fuzz";
  setup.find_model = [](const std::string&) -> protocol::Result<std::string> { return "base"; };
  setup.now = [] { return 1.8e9; };
  RealtimeAdapter adapter(std::move(setup));
  Sent sent;
  fuzz::LivePlay play(adapter, [&sent](const std::string& text) { sent.take(text); });
  play.play({reinterpret_cast<const char*>(data), size});
  fuzz::must(play.is_closed() || sent.is_settled());
  return 0;
}
