#include "server/models/vad_model.h"

#include "protocol/worker_contract.h"

namespace server {
namespace {

// The package is MIT; its hash was taken from the file itself.
RegisteredModel make_vad_model() {
  const std::string name = vad_weights_file;
  return {.name = std::string(vad_model_name),
          .aliases = {"silero", "snakers4/silero-vad"},
          .parameters = "0.3 M",
          .sources = {PackageSource{
              {{"silero-vad", "6.2.3"}},
              {{"silero_vad/data/" + name, name}},
              {{name, 1289603,
                Digest{Digest::Kind::sha256,
                       "7ed98ddbad84ccac4cd0aeb3099049280713df825c610a8ed34543318f1b2c49"}}}}},
          .use = ModelUse::speech_detection};
}

}  // namespace

const RegisteredModel& vad_model() {
  static const RegisteredModel model = make_vad_model();
  return model;
}

std::map<std::string, std::string> auxiliary_models(const std::filesystem::path& store_root) {
  return {{protocol::worker::speech_detection,
           (store_root / vad_model_name / vad_weights_file).string()}};
}

}  // namespace server
