#include "server/mcp/tools/delivery.h"

#include <array>
#include <string_view>

#include "server/mcp/tools/output_file.h"
#include "server/mcp/tools/schema.h"

namespace server {
namespace {

constexpr std::array<std::string_view, 5> formats{"text", "srt", "vtt", "tsv", "json"};
constexpr std::array<std::string_view, 3> timestamp_kinds{"none", "segment", "word"};

}  // namespace

nlohmann::json delivery_properties() {
  return {{"format", schema::one_of("text to read; srt, vtt, tsv or json for a file. Default: text",
                                    formats)},
          {"timestamps",
           schema::one_of("segment: the text has the times of each passage; word: besides, the "
                          "segments have the times of each word, if the job was started with it; "
                          "none: no segments at all. Default: segments beside the text",
                          timestamp_kinds)},
          {"output_file", schema::text("Write the transcript to this file on the server's machine, "
                                       "and answer with its beginning only")}};
}

Delivery read_delivery(Arguments& arguments) {
  Delivery delivery{.format = arguments.choice("format", formats, "text")};
  const auto kind = arguments.choice("timestamps", timestamp_kinds, "");
  delivery.with_words = kind == "word";
  delivery.with_times = kind == "segment" || delivery.with_words;
  delivery.with_segments = kind != "none";
  delivery.output_file = arguments.text("output_file");
  return delivery;
}

Result<void> check_delivery(const ToolCall& call, const Delivery& delivery) {
  if (delivery.output_file.empty()) return {};
  if (!call.settings.may_write) {
    return Error{errc::forbidden, "This server writes no files.",
                 "Leave output_file out, and read the text in pages or as a resource."};
  }
  const auto output = open_output(call.services.paths, delivery.output_file);
  if (!output) return output.error();
  return {};
}

}  // namespace server
