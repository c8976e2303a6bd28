#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "protocol/deepgram/adapter.h"
#include "protocol/jigasi/adapter.h"
#include "protocol/json_parse.h"

using namespace protocol;

namespace {

// What is sent must be JSON, and the finals of each channel must follow each other without a gap.
class Client {
 public:
  void take(const live::Actions& actions) {
    for (const auto& action : actions) {
      const auto* send = std::get_if<live::Send>(&action);
      if (!send) continue;
      const auto message = json::parse_object(send->bytes, {.values = 1'000'000});
      if (!message) std::abort();
      if (message->value("type", "") == "Results") take_result(*message);
    }
  }

 private:
  void take_result(const nlohmann::json& result) {
    double& end = ends_[(*result.find("channel_index"))[0].get<int>()];
    const double start = result["start"], duration = result["duration"];
    if (std::abs(start - end) > 0.002 || duration < 0) std::abort();
    if (result["is_final"]) end = start + duration;
  }

  double ends_[deepgram::most_channels] = {};
};

deepgram::DeepgramAdapter::Setup setup() {
  const deepgram::Query query{{"encoding", "linear16"},    {"sample_rate", "16000"},
                              {"channels", "2"},           {"multichannel", "true"},
                              {"interim_results", "true"}, {"utterance_end_ms", "1000"},
                              {"vad_events", "true"}};
  return {.settings = read_listen_query(query, deepgram::ListenKind::socket).value()};
}

// An event with the text, at a time that only grows.
TranscriptEvent event_of(std::string_view text, double& at_s) {
  const auto kind = text.empty() ? 0 : static_cast<unsigned char>(text[0]) % 5;
  const auto length = text.size() > 1 ? static_cast<unsigned char>(text[1]) / 50.0 : 0;
  const double begin = at_s;
  at_s += length;
  const int turn = static_cast<int>(at_s);
  const std::vector<Word> words{{.start = begin, .end = at_s, .word = std::string(text)}};
  if (kind == 0) return SpeechStarted{turn, begin};
  if (kind == 1) return LiveText{.heard_s = at_s, .tail = std::string(text)};
  if (kind == 2) return LiveWords{turn, words};
  if (kind == 3) return Progress{.position_s = at_s, .phase = ProgressPhase::listening};
  return TurnEnded{
      .turn = turn, .start_s = begin, .end_s = at_s, .text = std::string(text), .words = words};
}

void run_deepgram(std::string_view rest) {
  deepgram::DeepgramAdapter adapter(setup());
  Client client;
  client.take(adapter.begin());
  double at_s = 0;
  while (!rest.empty()) {
    const auto line = rest.substr(0, rest.find('\n'));
    const char kind = line.empty() ? 'b' : line[0];
    if (kind == 'e') {
      client.take(adapter.tell(line.size() % 2, event_of(line.substr(1), at_s)));
    } else if (kind == 'b') {
      client.take(adapter.receive_bytes(line.substr(line.empty() ? 0 : 1)));
    } else {
      client.take(adapter.receive_text(line));
    }
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
  }
  client.take(adapter.tell_end(0));
  client.take(adapter.tell_end(1));
}

void run_jigasi(std::string_view bytes) {
  jigasi::JigasiAdapter adapter(
      {.new_id = [] { return "id"; }, .milliseconds_now = [] { return 0; }});
  Client client;
  const auto actions = adapter.receive_bytes(bytes);
  client.take(actions);
  if (actions.size() != 2) return;
  client.take(adapter.tell(0, LiveText{.tail = std::string(bytes)}));
  client.take(adapter.tell(0, TurnEnded{.text = std::string(bytes)}));
}

// Parameters of an address, a line each.
void run_query(std::string_view rest) {
  deepgram::Query query;
  while (!rest.empty()) {
    const auto line = rest.substr(0, rest.find('\n'));
    const auto equals = std::min(line.find('='), line.size());
    query.emplace_back(line.substr(0, equals), line.substr(std::min(line.size(), equals + 1)));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
  }
  for (const auto kind : {deepgram::ListenKind::socket, deepgram::ListenKind::file}) {
    const auto read = read_listen_query(query, kind);
    if (!read && read.error().message.empty()) std::abort();
    if (read && kind == deepgram::ListenKind::socket && !read->raw) std::abort();
  }
}

}  // namespace

// The first byte chooses what the others are.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] == 'q') {
    run_query(rest);
  } else if (data[0] == 'j') {
    run_jigasi(rest);
  } else {
    run_deepgram(rest);
  }
  return 0;
}
