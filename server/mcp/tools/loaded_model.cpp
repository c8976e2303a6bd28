#include "server/mcp/tools/loaded_model.h"

#include <fmt/format.h>

#include "protocol/json_numbers.h"
#include "server/device/device_plan.h"
#include "server/mcp/tools/schema.h"
#include "server/mcp/tools/shown.h"

namespace server {

using Json = nlohmann::json;

namespace {

// Says what of its device's memory the model took when it was loaded, and how its steps run.
std::string places_text(const ModelDevice& device) {
  const protocol::DeviceUse& use = device.use;
  if (use.windows == 0) return "";
  std::string text = fmt::format(
      "On {} it has {} places for windows and {} for rows of decodes in {} MiB; {} and {} "
      "are held.",
      device.device, use.windows, use.rows, use.cache_bytes >> 20, use.windows_held, use.rows_held);
  if (!use.graphs_off.empty()) text += " Not recorded for now: " + shown_line(use.graphs_off) + ".";
  text += use.kernel_rows == 0
              ? " No steps run on fused kernels"
              : fmt::format(" Steps of up to {} rows run on fused kernels", use.kernel_rows);
  return text + (use.kernels_off.empty() ? ".\n" : ": " + use.kernels_off + ".\n");
}

std::string windows_text(const ModelDevice& device) {
  const std::string& window = device.use.encoder_window;
  return window.empty() ? "" : "Encoder windows of short recordings: " + shown_line(window) + ".\n";
}

Json places_json(const ModelDevice& device) {
  const protocol::DeviceUse& use = device.use;
  return {{"device", device.device},          {"windows", use.windows},
          {"windows_held", use.windows_held}, {"rows", use.rows},
          {"rows_held", use.rows_held},       {"bytes", use.cache_bytes},
          {"graphs_off", use.graphs_off},     {"kernel_rows", use.kernel_rows},
          {"kernels_off", use.kernels_off}};
}

}  // namespace

std::string text_of(const LoadedModel& model) {
  if (model.is_loading) return fmt::format("Model {} is being loaded.\n", model.name);
  const std::string card = model.device_name.empty() ? "" : ", " + model.device_name;
  std::string text =
      fmt::format("Model {} on {}{} ({}): {}. {} MiB, loaded in {:.1f} s, {} jobs.\n", model.name,
                  model.device, card, model.compute_type, model.device_reason,
                  model.memory_bytes >> 20, model.load_s, model.jobs);
  for (const auto& device : model.devices) {
    if (model.devices.size() < 2) break;
    text += fmt::format("On {}: {}.\n", device.device,
                        device.is_loading ? "being loaded" : fmt::format("{} jobs", device.jobs));
  }
  for (const auto& device : model.devices) text += places_text(device) + windows_text(device);
  for (const auto& passed : model.passed_over) text += warning_of(passed) + "\n";
  return text;
}

Json json_of(const LoadedModel& model) {
  Json passed = Json::array();
  for (const auto& card : model.passed_over) passed.push_back(warning_of(card));
  Json devices = Json::array();
  Json places = Json::array();
  for (const auto& device : model.devices) {
    devices.push_back(device.device);
    if (device.use.windows > 0) places.push_back(places_json(device));
  }
  return {{"name", model.name},
          {"device", model.device},
          {"device_name", model.device_name},
          {"device_reason", model.device_reason},
          {"compute_type", model.compute_type},
          {"memory_bytes", model.memory_bytes},
          {"load_s", protocol::json::seconds(model.load_s)},
          {"is_loading", model.is_loading},
          {"jobs", model.jobs},
          {"devices", std::move(devices)},
          {"places", std::move(places)},
          {"passed_over", std::move(passed)}};
}

Json loaded_model_schema() {
  const Json string{{"type", "string"}}, number{{"type", "number"}}, integer{{"type", "integer"}};
  return schema::object({{"name", string},
                         {"device", string},
                         {"device_name", string},
                         {"device_reason", string},
                         {"compute_type", string},
                         {"memory_bytes", integer},
                         {"load_s", number},
                         {"is_loading", {{"type", "boolean"}}},
                         {"jobs", integer},
                         {"devices", schema::list(string)},
                         {"places", schema::list(schema::object({{"device", string},
                                                                 {"windows", integer},
                                                                 {"windows_held", integer},
                                                                 {"rows", integer},
                                                                 {"rows_held", integer},
                                                                 {"bytes", integer},
                                                                 {"graphs_off", string},
                                                                 {"kernel_rows", integer},
                                                                 {"kernels_off", string}}))},
                         {"passed_over", schema::list(string)}},
                        {"name", "device"});
}

}  // namespace server
