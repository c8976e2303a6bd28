#include "engine/whisper/weights/json_file.h"

#include "engine/weights/byte_reader.h"
#include "engine/weights/mapped_file.h"
#include "protocol/json_parse.h"

namespace engine {
namespace {

constexpr std::size_t max_json_bytes = 16u << 20;

}  // namespace

nlohmann::json read_json_file(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) return nullptr;
  const MappedFile mapped(file);
  if (mapped.bytes().size() > max_json_bytes) damaged(file.string() + ": too large");
  auto object = protocol::json::parse_object(as_text(mapped.bytes()));
  if (!object) damaged(file.string() + ": " + object.error().message);
  return *std::move(object);
}

std::string text_of(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::string printable(std::string_view text) {
  constexpr std::size_t max_bytes = 64;
  std::string shown(text.substr(0, max_bytes));
  for (char& c : shown) {
    if (c < 0x20 || c > 0x7e) c = '?';
  }
  return shown;
}

}  // namespace engine
