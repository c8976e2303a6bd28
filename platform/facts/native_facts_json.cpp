#include "platform/facts/native_facts_json.h"

#include "platform/facts/native_facts_fields.h"

namespace platform {

nlohmann::json to_json(const CudaFacts& facts) {
  return JsonWriter::write(facts);
}
nlohmann::json to_json(const NvmlFacts& facts) {
  return JsonWriter::write(facts);
}
nlohmann::json to_json(const HipFacts& facts) {
  return JsonWriter::write(facts);
}
nlohmann::json to_json(const MetalFacts& facts) {
  return JsonWriter::write(facts);
}
nlohmann::json to_json(const NativeFacts& facts) {
  return JsonWriter::write(facts);
}
nlohmann::json to_json(const PackLibraries& libraries) {
  return JsonWriter::write(libraries);
}

template <class T>
Result<T> from_json(const nlohmann::json& json) {
  return JsonReader::read<T>(json);
}

template Result<CudaFacts> from_json<CudaFacts>(const nlohmann::json&);
template Result<NvmlFacts> from_json<NvmlFacts>(const nlohmann::json&);
template Result<HipFacts> from_json<HipFacts>(const nlohmann::json&);
template Result<MetalFacts> from_json<MetalFacts>(const nlohmann::json&);
template Result<NativeFacts> from_json<NativeFacts>(const nlohmann::json&);
template Result<PackLibraries> from_json<PackLibraries>(const nlohmann::json&);

}  // namespace platform
