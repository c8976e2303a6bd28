#include "protocol/format_writers.h"
#include "protocol/transcript_json.h"

namespace protocol {
namespace {

// The text of the whole transcript comes first in the file, so nothing can be written before the
// end.
class JsonWriter : public Writer {
 public:
  std::string begin(const WriterMeta&) override { return {}; }
  std::string segment(const Segment&) override { return {}; }
  std::string finish(const Transcript& transcript) override {
    return json_text(transcript, json::python_style);
  }
};

}  // namespace

std::unique_ptr<Writer> make_json_writer() {
  return std::make_unique<JsonWriter>();
}

}  // namespace protocol
