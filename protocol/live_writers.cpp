#include <algorithm>

#include "protocol/format_writers.h"
#include "protocol/json_fields.h"
#include "protocol/json_numbers.h"
#include "protocol/json_text.h"
#include "protocol/text_rules.h"
#include "protocol/transcript_fields.h"
#include "protocol/transcript_json.h"

// This file has the writers for recordings that have not ended.
namespace protocol {
namespace {

// Writes the same file as txt in the end, but each word as soon as it is decided.
class LiveTxtWriter : public Writer {
 public:
  std::string begin(const WriterMeta&) override { return {}; }
  std::string segment(const Segment& segment) override {
    const std::string rest = rest_of(segment.text);
    written_ = 0;
    return rest + '\n';
  }
  std::string partial(const LiveText& live) override {
    std::string rest = rest_of(live.text);
    written_ += rest.size();
    return rest;
  }
  std::string finish(const Transcript&) override { return {}; }

 private:
  // Returns the part of the current segment that was not written yet.
  std::string rest_of(const std::string& text) const {
    const std::string_view line = strip(text);
    return std::string(line.substr(std::min(written_, line.size())));
  }

  std::size_t written_ = 0;  // bytes of the current segment
};

class JsonlWriter : public Writer {
 public:
  std::string begin(const WriterMeta&) override { return {}; }
  std::string segment(const Segment& segment) override { return line("segment", to_json(segment)); }
  std::string partial(const LiveText& live) override {
    auto fields = json::write(live);
    fields["heard_s"] = json::seconds(live.heard_s);
    return line("partial", fields);
  }
  std::string finish(const Transcript& transcript) override {
    auto whole = to_json(transcript);
    whole.erase("segments");  // each segment has its line
    return line("done", whole);
  }

 private:
  static std::string line(const char* type, const nlohmann::ordered_json& fields) {
    nlohmann::ordered_json object{{"type", type}};
    object.update(fields);
    return json::dump(object) + '\n';
  }
};

}  // namespace

std::unique_ptr<Writer> make_live_txt_writer() {
  return std::make_unique<LiveTxtWriter>();
}
std::unique_ptr<Writer> make_live_jsonl_writer() {
  return std::make_unique<JsonlWriter>();
}

}  // namespace protocol
