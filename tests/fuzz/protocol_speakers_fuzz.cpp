#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base64.h"
#include "protocol/data_url.h"
#include "protocol/known_speaker.h"
#include "protocol/speaker_names.h"
#include "protocol/turn_writers.h"

namespace {

void must(bool holds) {
  if (!holds) std::abort();
}

void read_as_url(std::string_view text) {
  const auto bytes = protocol::bytes_of_data_url(text);
  if (!bytes) return;
  // One text stands for these bytes, and it is the end of the address.
  must(text.ends_with("," + protocol::encode_base64(*bytes)));
  must(protocol::bytes_of_data_url(protocol::data_url(*bytes)) == bytes);
}

void read_as_clip(std::string_view text) {
  const auto pcm = protocol::decode_clip(text);
  if (!pcm) return;
  must(std::ranges::all_of(*pcm, [](float sample) { return sample >= -1 && sample <= 1; }));
  must(protocol::encode_clip(*pcm) == text);
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (true) {
    const auto end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    if (end == text.npos) return lines;
    text.remove_prefix(end + 1);
  }
}

// A line of RTTM has ten fields, whatever a speaker or a recording is called.
void write_as_rttm(const std::vector<std::string>& names) {
  std::vector<protocol::SpeakerTurn> turns;
  for (const auto& name : names) {
    turns.push_back({static_cast<double>(turns.size()), turns.size() + 0.5, name});
  }
  const std::string rttm = protocol::write_rttm(turns, names.front());
  must(static_cast<std::size_t>(std::ranges::count(rttm, '\n')) == turns.size());
  must(static_cast<std::size_t>(std::ranges::count(rttm, ' ')) == 9 * turns.size());
}

void read_as_names(std::string_view text) {
  const auto names = lines_of(text);
  if (!protocol::check_known_names(names)) return;
  must(names.size() <= protocol::most_known_speakers);
  must(std::set<std::string>(names.begin(), names.end()).size() == names.size());
  for (const auto& name : names) {
    must(!name.empty() && name.size() <= protocol::max_speaker_name_bytes);
    must(std::ranges::all_of(name, [](unsigned char c) { return c >= 0x20 && c != 0x7f; }));
  }
  write_as_rttm(names);
}

}  // namespace

// Reads the text in each way in which clients send known speakers: clips as data URLs, clips
// between processes, and names, one in a line.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  read_as_url(text);
  read_as_clip(text);
  read_as_names(text);
  return 0;
}
