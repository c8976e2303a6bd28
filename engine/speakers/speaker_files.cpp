#include "engine/speakers/speaker_files.h"

#include <algorithm>
#include <new>

#include "engine/weights/byte_reader.h"
#include "engine/weights/torch_archive.h"

namespace engine {
namespace {

TensorTable read_state_dict(std::span<const std::byte> file) {
  const TorchArchive archive(file);
  const PickleValue* inner = archive.root().find("state_dict");
  const PickleValue& state_dict = inner != nullptr ? *inner : archive.root();
  if (state_dict.kind != PickleValue::Kind::dict) damaged("pickle: is not a dict of tensors");
  return tensor_table(state_dict, archive.storages());
}

}  // namespace

NetworkFile::NetworkFile(const std::filesystem::path& path)
    : file_(path), tensors_(read_state_dict(file_.bytes())) {}

const WeightTensor& NetworkFile::tensor(const std::string& name,
                                        std::initializer_list<std::int64_t> shape) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) {
    damaged(name + ": is missing in " + file_.path().filename().string());
  }
  const WeightTensor& tensor = found->second;
  if (!std::ranges::equal(tensor.shape, shape)) {
    damaged(name + ": expected shape " + shape_text({shape.begin(), shape.size()}) + ", got " +
            shape_text(tensor.shape));
  }
  if (is_count(tensor.dtype)) damaged(name + ": expected numbers of a float type");
  return tensor;
}

Result<void> inspect_speaker_files(const std::filesystem::path& folder) {
  try {
    const NetworkFile segmentation(folder / segmentation_file);
    segmentation.tensor("sincnet.conv1d.0.filterbank.low_hz_", {40, 1});
    segmentation.tensor("lstm.weight_ih_l3_reverse", {512, 256});
    segmentation.tensor("classifier.weight", {7, 128});
    const NetworkFile embedding(folder / embedding_file);
    embedding.tensor("head.conv1.weight", {32, 1, 3, 3});
    embedding.tensor("xvector.block3.tdnnd16.linear1.weight", {128, 992, 1});
    embedding.tensor("xvector.dense.linear.weight", {192, 1024, 1});
    return {};
  } catch (const Exception& e) {
    return e.error;
  } catch (const std::bad_alloc&) {
    return Error{Errc::out_of_memory, "[speakers] memory ran out", ""};
  }
}

}  // namespace engine
