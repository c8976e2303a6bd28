#include <cinttypes>
#include <cstdio>

#include "protocol/format_writers.h"
#include "protocol/text_rules.h"

// This file has the formats with a line for each segment, whatever its words.
namespace protocol {
namespace {

class TxtWriter : public Writer {
 public:
  std::string begin(const WriterMeta&) override { return {}; }
  std::string segment(const Segment& segment) override {
    return std::string(strip(segment.text)) + '\n';
  }
  std::string finish(const Transcript&) override { return {}; }
};

class TsvWriter : public Writer {
 public:
  std::string begin(const WriterMeta&) override { return "start\tend\ttext\n"; }
  std::string segment(const Segment& segment) override {
    return std::to_string(to_milliseconds(segment.start)) + '\t' +
           std::to_string(to_milliseconds(segment.end)) + '\t' +
           replace_all(strip(segment.text), "\t", " ") + '\n';
  }
  std::string finish(const Transcript&) override { return {}; }
};

// Minutes go on past 59; the format knows no hours.
std::string lrc_time(double seconds) {
  const std::int64_t ms = to_milliseconds(seconds);
  char text[48];
  std::snprintf(text, sizeof text, "[%02" PRId64 ":%02d.%02d]", ms / 60'000,
                static_cast<int>(ms / 1'000 % 60), static_cast<int>(ms % 1'000 / 10));
  return text;
}

class LrcWriter : public Writer {
 public:
  std::string begin(const WriterMeta&) override { return "[by:scribed]\n"; }
  std::string segment(const Segment& segment) override {
    // A line break would start a line without a time.
    return lrc_time(segment.start) + replace_all(segment.text, "\n", " ") + '\n';
  }
  std::string finish(const Transcript&) override { return {}; }
};

}  // namespace

std::unique_ptr<Writer> make_txt_writer() {
  return std::make_unique<TxtWriter>();
}
std::unique_ptr<Writer> make_tsv_writer() {
  return std::make_unique<TsvWriter>();
}
std::unique_ptr<Writer> make_lrc_writer() {
  return std::make_unique<LrcWriter>();
}

}  // namespace protocol
