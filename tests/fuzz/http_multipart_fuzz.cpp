#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "server/http/multipart.h"

namespace {

// Records all parts, so that two readings can be compared.
class Notes : public server::MultipartSink {
 public:
  server::Result<void> part_begins(const server::PartHead& head) override {
    if (is_open_) std::abort();
    is_open_ = true;
    text += "<" + head.name + "|" + head.filename.value_or("-") + "|" + head.content_type + ">";
    return {};
  }
  server::Result<void> part_data(std::string_view bytes) override {
    if (!is_open_ || bytes.empty()) std::abort();
    text += bytes;
    return {};
  }
  server::Result<void> part_ends() override {
    if (!is_open_) std::abort();
    is_open_ = false;
    text += "</>";
    return {};
  }

  std::string text{};

 private:
  bool is_open_ = false;
};

std::string parse(std::string_view form, std::size_t piece) {
  Notes notes;
  server::MultipartParser parser("b", notes);
  while (!form.empty()) {
    if (!parser.feed(form.substr(0, piece))) return "error";
    form.remove_prefix(std::min(piece, form.size()));
  }
  return parser.finish() ? notes.text : "error";
}

}  // namespace

// The first byte decides how the rest is cut; the recorded parts must not depend on it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view form(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (parse(form, form.size() + 1) != parse(form, data[0] + std::size_t{1})) std::abort();
  static_cast<void>(server::boundary_of(form));
  return 0;
}
