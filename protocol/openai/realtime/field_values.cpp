#include "protocol/openai/realtime/field_values.h"

#include <cmath>

namespace protocol::openai::realtime {

const nlohmann::json* find(const nlohmann::json& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

Checked<std::string> read_text(const nlohmann::json& given, const std::string& path,
                               std::size_t most) {
  if (given.is_null()) return std::string();
  if (!given.is_string()) return wrong(path, "This must be a text.");
  const auto& text = given.get_ref<const std::string&>();
  if (text.size() > most) {
    return wrong(path, "This may have at most " + std::to_string(most) + " bytes.");
  }
  return text;
}

Checked<double> read_number(const nlohmann::json& given, const std::string& path, int least,
                            int most) {
  const double value = given.is_number() ? given.get<double>() : least - 1.0;
  if (value >= least && value <= most) return value;
  return wrong(path, "This must be a number from " + std::to_string(least) + " to " +
                         std::to_string(most) + ".");
}

Checked<int> read_whole(const nlohmann::json& given, const std::string& path, int least, int most) {
  const double value = given.is_number() ? given.get<double>() : least - 1.0;
  if (value >= least && value <= most && std::floor(value) == value) {
    return static_cast<int>(value);
  }
  return wrong(path, "This must be a whole number from " + std::to_string(least) + " to " +
                         std::to_string(most) + ".");
}

}  // namespace protocol::openai::realtime
