#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "live_play.h"
#include "protocol/wyoming/frames.h"
#include "protocol/wyoming/wyoming_adapter.h"

using namespace protocol::wyoming;

namespace {

struct Read {
  std::vector<Message> messages{};
  bool failed = false;

  friend bool operator==(const Read&, const Read&) = default;
};

Read read_in_pieces(std::string_view bytes, std::size_t size) {
  MessageReader reader;
  Read read;
  while (!bytes.empty() && !read.failed) {
    reader.append(bytes.substr(0, size));
    bytes.remove_prefix(std::min(size, bytes.size()));
    while (true) {
      auto next = reader.next();
      read.failed = !next;
      if (!next || !*next) break;
      read.messages.push_back(**std::move(next));
    }
  }
  return read;
}

// A stream means the same in pieces of any size, and so do its messages when they are written
// again.
void read_stream(std::string_view bytes) {
  const Read read = read_in_pieces(bytes, bytes.size());
  fuzz::must(read_in_pieces(bytes, 1) == read);
  for (const auto& message : read.messages) {
    const Read again = read_in_pieces(encode(message), std::string::npos);
    fuzz::must(!again.failed && again.messages == std::vector{message});
  }
}

void check_sent(const std::string& bytes) {
  const Read read = read_in_pieces(bytes, bytes.size());
  fuzz::must(!read.failed && read.messages.size() == 1);
}

}  // namespace

// The input is that of fuzz::LivePlay, and a stream.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  if (size <= 4096) read_stream(input);
  WyomingAdapter adapter(Settings{});
  fuzz::LivePlay(adapter, check_sent).play(input);
  return 0;
}
