#include <gtest/gtest.h>

#include <cstdint>
#include <random>

#include "protocol/decoder_messages.h"
#include "protocol/frame.h"
#include "protocol/transcript_json.h"
#include "protocol/worker_messages.h"
#include "protocol/writers.h"

// These tests damage valid messages in the same thousands of ways on every run. The parsers must
// always return a value; the sanitizers find any other fault.
namespace protocol {
namespace {

std::vector<std::string> seeds() {
  const Segment segment{.text = " naïve", .tokens = {1, 2}, .words = {{0, 1, " naïve", 0.5}}};
  Transcript transcript{.text = " naïve", .segments = {segment}, .warnings = {"w"}};
  return {worker::encode(worker::Hello{}),
          worker::encode(worker::Load{}),
          worker::encode(worker::Transcribe{"j", {}}),
          worker::encode(worker::Event{"j", segment}),
          worker::encode(worker::Failed{"j", Error("a", "b", "c")}),
          decoder::encode(decoder::Format{.duration_s = 1.0}),
          to_json(transcript).dump(),
          "{\"type\":" + std::string(20000, '[') + std::string(20000, ']') + "}"};
}

std::string damage(std::string text, std::mt19937& random) {
  const auto below = [&](std::size_t limit) { return random() % limit; };
  static constexpr std::string_view bits[] = {
      "null",    "1e999", "-9223372036854775809", "\"", "{", "]",
      "\\ud800", "\xff",  "18446744073709551616", ","};
  for (std::size_t n = 1 + below(4); n > 0 && !text.empty(); --n) {
    const auto at = below(text.size());
    switch (below(4)) {
      case 0:
        text[at] = static_cast<char>(below(256));
        break;
      case 1:
        text.erase(at, 1 + below(8));
        break;
      case 2:
        text.insert(at, bits[below(std::size(bits))]);
        break;
      default:
        text.resize(at);
        break;
    }
  }
  return text;
}

void feed(const std::string& text) {
  (void)worker::parse(text);
  (void)decoder::parse(text);
  if (const auto transcript = parse_transcript(text); transcript.has_value()) {
    for (const auto format : writer_formats()) {
      EXPECT_TRUE(write_transcript(format, *transcript, {.highlight_words = true}).has_value());
    }
  }
  FrameReader reader(1000);
  reader.append(text);
  while (true) {
    const auto payload = reader.next();
    if (payload.has_error() || !payload->has_value()) break;
  }
}

TEST(HostileBytes, DamagedMessagesAreAnsweredWithValues) {
  std::mt19937 random(20250625);
  for (const auto& seed : seeds()) {
    feed(seed);
    const int rounds = seed.size() > 10000 ? 50 : 1500;
    for (int i = 0; i < rounds; ++i) feed(damage(seed, random));
  }
}

}  // namespace
}  // namespace protocol
