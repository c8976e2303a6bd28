#pragma once

#include <deque>
#include <span>
#include <string_view>
#include <vector>

#include "engine/weights/byte_reader.h"
#include "engine/weights/tensor.h"

namespace engine {

// A value from a pickle. The Unpickler owns it; the same value may be an item of several others.
struct PickleValue {
  enum class Kind {
    none,
    boolean,
    integer,
    big_integer,
    real,
    text,
    list,
    tuple,
    dict,
    global,
    storage,
    tensor
  };
  Kind kind = Kind::none;
  std::int64_t integer = 0;  // boolean, integer; tensor: its offset in the storage, in numbers
  std::string_view text;     // text; global: "module name"; storage: its key;
                             // big_integer: its bytes, little-endian
  std::vector<PickleValue*> items;  // list, tuple; dict: key, value, key, value, …
  DType dtype = DType::f32;         // storage, tensor
  std::int64_t numel = 0;           // storage: how many numbers it declares
  PickleValue* storage = nullptr;   // tensor
  std::vector<std::int64_t> shape;  // tensor

  // Returns the value of a dict's text key, or null.
  const PickleValue* find(std::string_view key) const;
};

// Reads pickles of the kind that torch.save writes, as data: it knows tensors, storages, dicts,
// lists, tuples, numbers and text, and calls nothing. Any other global or opcode is refused. The
// bytes must outlive the Unpickler, and values live as long as it does.
class Unpickler {
 public:
  Unpickler(std::span<const std::byte> bytes, std::string_view what) : reader_(bytes, what) {}

  // Reads the next pickle. Throws engine::Exception (damaged_model, refused_model).
  const PickleValue& load();

  // Returns how far the loaded pickles reach.
  std::size_t offset() const { return reader_.offset(); }

 private:
  PickleValue& make(PickleValue::Kind kind);
  void push(PickleValue& value) { stack_.push_back(&value); }
  PickleValue& pop();
  PickleValue& top();
  std::vector<PickleValue*> pop_to_mark();

  bool step(unsigned opcode);  // returns false for an unknown opcode
  bool step_number(unsigned opcode);
  bool step_container(unsigned opcode);
  bool step_memo(unsigned opcode);
  void put(std::uint32_t index);
  void get(std::uint32_t index);
  void push_integer(std::int64_t value);
  void push_text(std::string_view text);
  void push_tuple(std::size_t count);
  void push_global();
  void add_to_list(std::vector<PickleValue*> items);
  void add_to_dict(std::vector<PickleValue*> items);
  void reduce();
  void build();
  void load_persistent();

  ByteReader reader_;
  // One flat owner holds all values, so that destroying nested, shared or cyclic values of a
  // hostile pickle costs nothing.
  std::deque<PickleValue> values_;
  std::vector<PickleValue*> stack_;
  std::vector<std::size_t> marks_;
  std::vector<PickleValue*> memo_;  // by number, which writers count up from 0; null: not put
  std::size_t steps_ = 0;
};

}  // namespace engine
