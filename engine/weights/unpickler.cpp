#include "engine/weights/unpickler.h"

#include <algorithm>
#include <string>

#include "engine/weights/torch_objects.h"

namespace engine {
namespace {

using Kind = PickleValue::Kind;

constexpr std::uint8_t newest_protocol = 2;  // what torch.save writes
// The largest model's checkpoint takes some ten thousand steps. Every value costs a step, so this
// bounds the memory too.
constexpr std::size_t max_steps = 500'000;
constexpr std::size_t max_global_bytes = 256;
constexpr std::size_t max_text_bytes = 4096;  // a name, a storage's key or a device

// Python's names for the opcodes.
enum Opcode : unsigned {
  mark = '(',
  stop = '.',
  empty_dict = '}',
  empty_list = ']',
  empty_tuple = ')',
  append = 'a',
  appends = 'e',
  set_item = 's',
  set_items = 'u',
  tuple = 't',
  tuple1 = 0x85,
  tuple2 = 0x86,
  tuple3 = 0x87,
  none = 'N',
  new_true = 0x88,
  new_false = 0x89,
  bin_int = 'J',
  bin_int1 = 'K',
  bin_int2 = 'M',
  long1 = 0x8a,
  bin_float = 'G',
  bin_unicode = 'X',
  global = 'c',
  reduce_call = 'R',
  build_object = 'b',
  bin_persistent_id = 'Q',
  bin_put = 'q',
  long_bin_put = 'r',
  bin_get = 'h',
  long_bin_get = 'j',
  protocol = 0x80,
};

[[noreturn]] void broken() {
  damaged("pickle: its parts do not fit together");
}

}  // namespace

const PickleValue* PickleValue::find(std::string_view key) const {
  if (kind != Kind::dict) return nullptr;
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    if (items[i]->kind == Kind::text && items[i]->text == key) return items[i + 1];
  }
  return nullptr;
}

const PickleValue& Unpickler::load() {
  stack_.clear();
  marks_.clear();
  memo_.clear();
  for (;;) {
    if (++steps_ > max_steps) damaged("pickle: far too long for a table of tensors");
    const auto opcode = static_cast<unsigned>(reader_.read<std::uint8_t>());
    if (opcode == stop) return pop();
    if (!step(opcode)) {
      refused("pickle: opcode " + std::to_string(opcode) + " is no part of a table of tensors",
              "Save the model's state_dict with torch.save, or use a safetensors file.");
    }
  }
}

PickleValue& Unpickler::make(Kind kind) {
  PickleValue& value = values_.emplace_back();
  value.kind = kind;
  return value;
}

PickleValue& Unpickler::pop() {
  PickleValue& value = top();
  stack_.pop_back();
  return value;
}

PickleValue& Unpickler::top() {
  if (stack_.empty() || (!marks_.empty() && marks_.back() == stack_.size())) broken();
  return *stack_.back();
}

std::vector<PickleValue*> Unpickler::pop_to_mark() {
  if (marks_.empty()) broken();
  const auto begin = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
  std::vector<PickleValue*> items(begin, stack_.end());
  stack_.erase(begin, stack_.end());
  marks_.pop_back();
  return items;
}

bool Unpickler::step(unsigned opcode) {
  switch (opcode) {
    case protocol:
      if (const auto version = reader_.read<std::uint8_t>(); version > newest_protocol) {
        refused("pickle: protocol " + std::to_string(version) + ", known is 2",
                "Save the model with torch.save's default pickle protocol.");
      }
      return true;
    case none:
      push(make(Kind::none));
      return true;
    case bin_unicode:
      push_text(reader_.text(reader_.read<std::uint32_t>()));
      return true;
    case global:
      push_global();
      return true;
    case reduce_call:
      reduce();
      return true;
    case build_object:
      build();
      return true;
    case bin_persistent_id:
      load_persistent();
      return true;
    default:
      return step_number(opcode) || step_container(opcode) || step_memo(opcode);
  }
}

bool Unpickler::step_number(unsigned opcode) {
  switch (opcode) {
    case new_true:
    case new_false: {
      PickleValue& value = make(Kind::boolean);
      value.integer = opcode == new_true;
      push(value);
      return true;
    }
    case bin_int:
      push_integer(reader_.read<std::int32_t>());
      return true;
    case bin_int1:
      push_integer(reader_.read<std::uint8_t>());
      return true;
    case bin_int2:
      push_integer(reader_.read<std::uint16_t>());
      return true;
    case long1: {
      // The number is two's complement of any length; above 8 bytes it is only ever compared.
      const std::string_view bytes = reader_.text(reader_.read<std::uint8_t>());
      if (bytes.size() > sizeof(std::int64_t)) {
        PickleValue& value = make(Kind::big_integer);
        value.text = bytes;
        push(value);
        return true;
      }
      std::int64_t value = !bytes.empty() && static_cast<signed char>(bytes.back()) < 0 ? -1 : 0;
      std::memcpy(&value, bytes.data(), bytes.size());
      push_integer(value);
      return true;
    }
    case bin_float:
      reader_.take(8);
      push(make(Kind::real));
      return true;
    default:
      return false;
  }
}

bool Unpickler::step_container(unsigned opcode) {
  switch (opcode) {
    case mark:
      marks_.push_back(stack_.size());
      return true;
    case empty_dict:
      push(make(Kind::dict));
      return true;
    case empty_list:
      push(make(Kind::list));
      return true;
    case empty_tuple:
      push_tuple(0);
      return true;
    case tuple1:
      push_tuple(1);
      return true;
    case tuple2:
      push_tuple(2);
      return true;
    case tuple3:
      push_tuple(3);
      return true;
    case tuple: {
      auto items = pop_to_mark();
      PickleValue& value = make(Kind::tuple);
      value.items = std::move(items);
      push(value);
      return true;
    }
    case append: {
      PickleValue& item = pop();
      add_to_list({&item});
      return true;
    }
    case appends:
      add_to_list(pop_to_mark());
      return true;
    case set_item: {
      PickleValue& value = pop();
      PickleValue& key = pop();
      add_to_dict({&key, &value});
      return true;
    }
    case set_items:
      add_to_dict(pop_to_mark());
      return true;
    default:
      return false;
  }
}

bool Unpickler::step_memo(unsigned opcode) {
  switch (opcode) {
    case bin_put:
      put(reader_.read<std::uint8_t>());
      return true;
    case long_bin_put:
      put(reader_.read<std::uint32_t>());
      return true;
    case bin_get:
      get(reader_.read<std::uint8_t>());
      return true;
    case long_bin_get:
      get(reader_.read<std::uint32_t>());
      return true;
    default:
      return false;
  }
}

void Unpickler::put(std::uint32_t index) {
  if (index >= max_steps) broken();
  if (index >= memo_.size()) memo_.resize(std::size_t{index} + 1);
  memo_[index] = &top();
}

void Unpickler::get(std::uint32_t index) {
  if (index >= memo_.size() || memo_[index] == nullptr) broken();
  push(*memo_[index]);
}

void Unpickler::push_integer(std::int64_t number) {
  PickleValue& value = make(Kind::integer);
  value.integer = number;
  push(value);
}

void Unpickler::push_text(std::string_view text) {
  if (text.size() > max_text_bytes) damaged("pickle: a text too long for a name");
  PickleValue& value = make(Kind::text);
  value.text = text;
  push(value);
}

void Unpickler::push_tuple(std::size_t count) {
  PickleValue& value = make(Kind::tuple);
  value.items.resize(count);
  for (std::size_t i = count; i-- > 0;) value.items[i] = &pop();
  push(value);
}

// Reads "c", the module, a newline, the name, a newline: both lines are kept as one text.
void Unpickler::push_global() {
  const std::size_t limit = std::min(reader_.remaining(), max_global_bytes);
  const std::string_view ahead = as_text(reader_.peek(limit));
  const std::size_t module_end = ahead.find('\n');
  const std::size_t name_end =
      module_end == ahead.npos ? ahead.npos : ahead.find('\n', module_end + 1);
  if (name_end == ahead.npos) damaged("pickle: a global without its name");
  PickleValue& value = make(Kind::global);
  value.text = reader_.text(name_end + 1).substr(0, name_end);
  require_known_global(value.text);
  push(value);
}

void Unpickler::add_to_list(std::vector<PickleValue*> items) {
  PickleValue& list = top();
  if (list.kind != Kind::list) broken();
  list.items.insert(list.items.end(), items.begin(), items.end());
}

void Unpickler::add_to_dict(std::vector<PickleValue*> items) {
  PickleValue& dict = top();
  if (dict.kind != Kind::dict || items.size() % 2 != 0) broken();
  dict.items.insert(dict.items.end(), items.begin(), items.end());
}

void Unpickler::reduce() {
  PickleValue& arguments = pop();
  PickleValue& callable = pop();
  if (arguments.kind != Kind::tuple || callable.kind != Kind::global) broken();
  push(make_object(callable.text, arguments, make(Kind::none)));
}

// A state_dict carries versions of its modules as an attribute (_metadata), which is ignored.
void Unpickler::build() {
  const PickleValue& state = pop();
  const PickleValue& object = top();
  if (object.kind != Kind::dict || state.kind != Kind::dict) {
    refused("pickle: sets the state of something that is not a dict",
            "Save the model's state_dict with torch.save, or use a safetensors file.");
  }
}

void Unpickler::load_persistent() {
  const PickleValue& id = pop();
  push(make_storage(id, make(Kind::storage)));
}

}  // namespace engine
