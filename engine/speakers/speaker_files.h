#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>

#include "engine/error.h"
#include "engine/weights/mapped_file.h"
#include "engine/weights/tensor.h"

namespace engine {

// The names that the two networks have in the folder of the model.
inline constexpr char segmentation_file[] = "segmentation-3.0.pt";
inline constexpr char embedding_file[] = "campplus.pt";

// The weights of one network, as torch.save wrote them: a state_dict, or a dict that has one as
// "state_dict". Failures are engine::Exception: not_found, unreadable, damaged_model,
// refused_model.
class NetworkFile {
 public:
  explicit NetworkFile(const std::filesystem::path& path);

  bool has(const std::string& name) const { return tensors_.contains(name); }

  // Returns a view of the tensor, which must have this shape. Throws damaged_model, naming it.
  const WeightTensor& tensor(const std::string& name,
                             std::initializer_list<std::int64_t> shape) const;

 private:
  MappedFile file_;
  TensorTable tensors_;
};

// Checks that both files are there and are of these networks, without running them. Errors:
// not_found, unreadable, damaged_model, refused_model.
Result<void> inspect_speaker_files(const std::filesystem::path& folder);

}  // namespace engine
