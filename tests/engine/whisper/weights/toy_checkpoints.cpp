#include "tests/engine/whisper/weights/toy_model.h"

namespace toy {
namespace {

void put_text(std::string& out, const std::string& text) {
  out += 'X';
  put(out, static_cast<std::uint32_t>(text.size()));
  out += text;
}

void put_integer(std::string& out, std::int64_t value) {
  out += 'J';
  put(out, static_cast<std::int32_t>(value));
}

void put_integers(std::string& out, const std::vector<std::int64_t>& values) {
  out += '(';
  for (const auto value : values) put_integer(out, value);
  out += 't';
}

void put_tensor(std::string& out, int key, const Tensor& tensor, bool legacy) {
  out += "ctorch._utils\n_rebuild_tensor_v2\n((";
  put_text(out, "storage");
  out += "ctorch\nHalfStorage\n";
  put_text(out, std::to_string(key));
  put_text(out, "cpu");
  put_integer(out, static_cast<std::int64_t>(tensor.values.size()));
  out += legacy ? "NtQ" : "tQ";
  put_integer(out, 0);
  put_integers(out, tensor.shape);
  std::vector<std::int64_t> strides(tensor.shape.size(), 1);
  for (std::size_t i = strides.size() - 1; i > 0; --i) {
    strides[i - 1] = strides[i] * tensor.shape[i];
  }
  put_integers(out, strides);
  out +=
      "\x89"
      "ccollections\nOrderedDict\n)RtR";
}

// Puts a dict, whose storages have their numbers in order as keys.
void put_table(std::string& out, const Tensors& tensors, bool legacy) {
  out += "}(";
  int key = 0;
  for (const auto& [name, tensor] : tensors) {
    put_text(out, name);
    put_tensor(out, key++, tensor, legacy);
  }
  out += 'u';
}

std::string archive_of(const std::string& pickle, const Tensors& tensors) {
  std::vector<ZipMember> members{{"toy/data.pkl", pickle}, {"toy/byteorder", "little"}};
  int key = 0;
  for (const auto& [name, tensor] : tensors) {
    members.push_back(
        {"toy/data/" + std::to_string(key++), encode(tensor.values, engine::DType::f16)});
  }
  return zip_file(members);
}

}  // namespace

std::string checkpoint_pickle(const Tensors& tensors, const engine::ModelDims& d, bool legacy) {
  const std::pair<const char*, int> fields[]{{"n_mels", d.n_mels},
                                             {"n_audio_ctx", d.n_audio_ctx},
                                             {"n_audio_state", d.n_audio_state},
                                             {"n_audio_head", d.n_audio_head},
                                             {"n_audio_layer", d.n_audio_layer},
                                             {"n_vocab", d.n_vocab},
                                             {"n_text_ctx", d.n_text_ctx},
                                             {"n_text_state", d.n_text_state},
                                             {"n_text_head", d.n_text_head},
                                             {"n_text_layer", d.n_text_layer}};
  std::string out = "\x80\x02}(";
  put_text(out, "dims");
  out += "}(";
  for (const auto& [name, value] : fields) {
    put_text(out, name);
    put_integer(out, value);
  }
  out += 'u';
  put_text(out, "model_state_dict");
  put_table(out, tensors, legacy);
  return out + "u.";
}

std::string torch_zip_file(const Tensors& tensors, const engine::ModelDims& d) {
  return archive_of(checkpoint_pickle(tensors, d, false), tensors);
}

std::string torch_table_file(const Tensors& tensors, const std::string& key) {
  std::string pickle = "\x80\x02";
  if (!key.empty()) {
    pickle += "}(";
    put_text(pickle, "epoch");
    put_integer(pickle, 3);
    put_text(pickle, key);
  }
  put_table(pickle, tensors, false);
  return archive_of(pickle + (key.empty() ? "." : "u."), tensors);
}

std::string torch_legacy_file(const Tensors& tensors, const engine::ModelDims& d) {
  std::string out("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.", 15);
  out += std::string("\x80\x02M\xe9\x03.", 6);
  out += "\x80\x02}(";
  put_text(out, "little_endian");
  out += "\x88u.";
  out += checkpoint_pickle(tensors, d, true) + "\x80\x02](";
  for (std::size_t i = 0; i < tensors.size(); ++i) put_text(out, std::to_string(i));
  out += "e.";
  for (const auto& [name, tensor] : tensors) {
    put(out, static_cast<std::int64_t>(tensor.values.size()));
    out += encode(tensor.values, engine::DType::f16);
  }
  return out;
}

std::string zip_file(const std::vector<ZipMember>& members, bool zip64) {
  std::string out;
  std::string directory;
  for (const ZipMember& member : members) {
    const auto offset = static_cast<std::uint32_t>(out.size());
    const auto size = static_cast<std::uint32_t>(member.data.size());
    const auto name_bytes = static_cast<std::uint16_t>(member.name.size());
    out += std::string("PK\x03\x04", 4) + std::string(22, '\0');
    put(out, name_bytes);
    put(out, std::uint16_t{3});  // an extra field that only the local header has
    out += member.name + "pad" + member.data;

    directory += std::string("PK\x01\x02", 4) + std::string(6, '\0');
    put(directory, member.method);
    directory += std::string(8, '\0');
    put(directory, zip64 ? 0xffffffffu : size);
    put(directory, zip64 ? 0xffffffffu : size);
    put(directory, name_bytes);
    put(directory, static_cast<std::uint16_t>(zip64 ? 28 : 0));
    directory += std::string(10, '\0');
    put(directory, zip64 ? 0xffffffffu : offset);
    directory += member.name;
    if (zip64) {
      put(directory, std::uint16_t{1});
      put(directory, std::uint16_t{24});
      for (const std::uint64_t value : {size, size, offset}) put(directory, value);
    }
  }
  const std::uint64_t directory_offset = out.size();
  out += directory;
  if (zip64) {
    const std::uint64_t record_offset = out.size();
    out += std::string("PK\x06\x06", 4) + std::string(28, '\0');
    for (const std::uint64_t value :
         {std::uint64_t{members.size()}, std::uint64_t{0}, directory_offset}) {
      put(out, value);
    }
    out += std::string("PK\x06\x07", 4) + std::string(4, '\0');
    put(out, record_offset);
    put(out, std::uint32_t{1});
  }
  out += std::string("PK\x05\x06", 4) + std::string(6, '\0');
  put(out, static_cast<std::uint16_t>(zip64 ? 0xffff : members.size()));
  put(out, static_cast<std::uint32_t>(directory.size()));
  put(out, zip64 ? 0xffffffffu : static_cast<std::uint32_t>(directory_offset));
  put(out, std::uint16_t{0});
  return out;
}

}  // namespace toy
