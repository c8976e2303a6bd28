#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "protocol/decoder_messages.h"
#include "protocol/transcript_json.h"
#include "protocol/worker_messages.h"
#include "protocol/writers.h"

// A parsed message must be the same after another trip over the wire.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto message = protocol::worker::parse(text); message.has_value()) {
    const auto once = protocol::worker::encode(*message);
    if (protocol::worker::encode(protocol::worker::parse(once).value()) != once) std::abort();
  }
  if (const auto message = protocol::decoder::parse(text); message.has_value()) {
    const auto once = protocol::decoder::encode(*message);
    if (protocol::decoder::encode(protocol::decoder::parse(once).value()) != once) std::abort();
  }
  if (const auto transcript = protocol::parse_transcript(text); transcript.has_value()) {
    const protocol::WriterOptions options{.max_line_width = 20,
                                          .max_line_count = 2,
                                          .max_words_per_line = 3,
                                          .highlight_words = true};
    for (const auto format : protocol::writer_formats()) {
      protocol::write_transcript(format, *transcript, options).value();
    }
  }
  return 0;
}
