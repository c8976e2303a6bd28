#include <gtest/gtest.h>

#include "engine/weights/mapped_file.h"
#include "engine/whisper/weights/hugging_face.h"
#include "engine/whisper/weights/readers.h"
#include "tests/engine/whisper/weights/toy_model.h"

namespace {

using engine::Errc;
using engine::MappedFile;

// Written by PyTorch itself: see data/make_fixtures.py.
MappedFile fixture(const std::string& name) {
  return MappedFile(std::string(SCRIBED_SOURCE_DIR) + "/tests/engine/whisper/weights/data/" + name);
}

engine::ModelDims fixture_dims() {
  return {2, 3, 4, 2, 1, 5, 2, 4, 2, 1};
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == text.npos) throw std::logic_error("nothing to replace: " + from);
  return text.replace(at, from.size(), to);
}

TEST(TorchZip, GivesTheTensorsAndDimensionsOfAHandWrittenFile) {
  const auto toy_tensors = toy::tensors();
  const std::string file = toy::torch_zip_file(toy_tensors);
  const auto model = engine::parse_torch_zip(toy::bytes(file));
  toy::expect_same(model.tensors, toy_tensors);
  EXPECT_EQ(model.declared_dims, toy::dims());
}

TEST(TorchZip, ReadsWhatPyTorchWrites) {
  const MappedFile file = fixture("toy.pt");
  const auto model = engine::parse_torch_zip(file.bytes());
  toy::expect_same(model.tensors, toy::tensors(fixture_dims()));
  EXPECT_EQ(model.declared_dims, fixture_dims());
}

TEST(TorchZip, ReadsABareStateDictOfParametersWithSharedStorage) {
  const MappedFile file = fixture("toy-state-dict.pt");
  auto model = engine::parse_torch_zip(file.bytes());
  EXPECT_FALSE(model.declared_dims);
  toy::expect_same(engine::with_openai_names(std::move(model.tensors)),
                   toy::tensors(fixture_dims()));
}

TEST(TorchZip, FindsTheTableAmongWhatATrainingKeeps) {
  const auto toy_tensors = toy::tensors();
  for (const std::string key : {"", "model_state_dict", "state_dict", "model", "module"}) {
    const std::string file = toy::torch_table_file(toy_tensors, key);
    const auto model = engine::parse_torch_zip(toy::bytes(file));
    SCOPED_TRACE(key);
    EXPECT_FALSE(model.declared_dims);
    toy::expect_same(model.tensors, toy_tensors);
  }
  const std::string other = toy::torch_table_file(toy_tensors, "weights");
  const auto error = toy::error_of([&] { engine::parse_torch_zip(toy::bytes(other)); });
  EXPECT_EQ(error.code, Errc::refused_model);
  EXPECT_EQ(error.message, "[weights] epoch: is not a tensor");
}

TEST(TorchZip, NamesACheckpointOfLightningThatHoldsMoreThanNumbers) {
  std::string pickle = "\x80\x02}(X";
  toy::put(pickle, std::uint32_t{25});
  pickle += "pytorch-lightning_versioncpathlib\nPosixPath\nu.";
  const std::string file = toy::zip_file({{"m/data.pkl", pickle}});
  const auto error = toy::error_of([&] { engine::parse_torch_zip(toy::bytes(file)); });
  EXPECT_EQ(error.code, Errc::refused_model);
  EXPECT_NE(error.message.find("a checkpoint of Lightning"), std::string::npos) << error.message;
  EXPECT_NE(error.fix.find("state_dict"), std::string::npos) << error.fix;
}

TEST(TorchLegacy, GivesTheTensorsAndDimensionsOfAHandWrittenFile) {
  const auto toy_tensors = toy::tensors();
  const std::string file = toy::torch_legacy_file(toy_tensors);
  const auto model = engine::parse_torch_legacy(toy::bytes(file));
  toy::expect_same(model.tensors, toy_tensors);
  EXPECT_EQ(model.declared_dims, toy::dims());
}

TEST(TorchLegacy, ReadsWhatPyTorchWrites) {
  const MappedFile file = fixture("toy-legacy.pt");
  const auto model = engine::parse_torch_legacy(file.bytes());
  toy::expect_same(model.tensors, toy::tensors(fixture_dims()));
  EXPECT_EQ(model.declared_dims, fixture_dims());
}

TEST(TorchZip, RefusesWhatIsNoTableOfContiguousTensors) {
  for (const auto& [name, message] :
       {std::pair{"module.pt", "refers to torch.nn.modules.linear.Linear"},
        {"double.pt", "refers to torch.DoubleStorage"},
        {"strided.pt", "a tensor [4, 16] with strides [1, 4] is not contiguous"}}) {
    const MappedFile file = fixture(name);
    const auto error = toy::error_of([&] { engine::parse_torch_zip(file.bytes()); });
    EXPECT_EQ(error.code, Errc::refused_model) << name;
    EXPECT_NE(error.message.find(message), std::string::npos) << error.message;
  }
}

TEST(TorchLegacy, RefusesAGlobalThatWouldRunCode) {
  const std::string file = replaced(toy::torch_legacy_file(toy::tensors()),
                                    "ctorch._utils\n_rebuild_tensor_v2\n", "cposix\nsystem\n");
  const auto error = toy::error_of([&] { engine::parse_torch_legacy(toy::bytes(file)); });
  EXPECT_EQ(error.code, Errc::refused_model);
  EXPECT_NE(error.message.find("posix.system"), std::string::npos);
}

TEST(TorchZip, NamesATensorThatReachesBeyondItsStorage) {
  std::vector<toy::ZipMember> members{
      {"m/data.pkl", toy::checkpoint_pickle({{"encoder.x", {{3}, {0, 0, 0}}}}, toy::dims(), false)},
      {"m/data/0", "1234"}};
  const auto message_of = [&] {
    const std::string file = toy::zip_file(members);
    return toy::error_of([&] { engine::parse_torch_zip(toy::bytes(file)); }).message;
  };
  EXPECT_EQ(message_of(), "[weights] encoder.x: reaches beyond its storage of 4 bytes");
  members[1].name = "m/data/1";
  EXPECT_EQ(message_of(), "[weights] encoder.x: storage 0 is missing");
}

TEST(TorchZip, RefusesOtherArchivesAndOtherByteOrders) {
  const std::string other = toy::zip_file({{"readme.txt", "hello"}});
  EXPECT_EQ(toy::error_of([&] { engine::parse_torch_zip(toy::bytes(other)); }).code,
            Errc::refused_model);
  const std::string big = toy::zip_file({{"m/data.pkl", "\x80\x02}."}, {"m/byteorder", "big"}});
  EXPECT_EQ(toy::error_of([&] { engine::parse_torch_zip(toy::bytes(big)); }).code,
            Errc::refused_model);
}

TEST(TorchZip, NamesTheDimensionThatIsMissing) {
  const std::string pickle =
      replaced(toy::checkpoint_pickle({}, toy::dims(), false), "n_vocab", "m_vocab");
  const std::string file = toy::zip_file({{"m/data.pkl", pickle}});
  EXPECT_EQ(toy::error_of([&] { engine::parse_torch_zip(toy::bytes(file)); }).message,
            "[weights] dims.n_vocab: missing or impossible");
}

TEST(TorchLegacy, TellsTruncationWhereverItHappens) {
  const std::string file = toy::torch_legacy_file(toy::tensors());
  for (std::size_t size = 0; size < file.size(); size += 89) {
    const std::string part = file.substr(0, size);
    EXPECT_EQ(toy::error_of([&] { engine::parse_torch_legacy(toy::bytes(part)); }).code,
              Errc::damaged_model)
        << size;
  }
}

}  // namespace
