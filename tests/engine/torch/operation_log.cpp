#include "tests/engine/torch/operation_log.h"

#include <ATen/ATen.h>
#include <ATen/core/ivalue.h>
#include <ATen/record_function.h>

#include <set>
#include <sstream>

#ifndef NDEBUG
#error "at::RecordFunction has other members with NDEBUG, which libtorch is built with"
#endif

namespace {

// Returns whether an operation is no more than a view or memory, which are the host's.
bool is_of_the_host(const LoggedOperation& operation) {
  static const std::set<std::string> of_the_host{
      "aten::as_strided", "aten::empty",  "aten::empty_like", "aten::empty_strided",
      "aten::expand",     "aten::narrow", "aten::permute",    "aten::resize_",
      "aten::reshape",    "aten::select", "aten::slice",      "aten::split",
      "aten::t",          "aten::unbind", "aten::unsqueeze",  "aten::_unsafe_view",
      "aten::transpose",  "aten::view",   "aten::chunk",      "aten::_reshape_alias",
      "aten::alias",      "aten::detach", "aten::squeeze",    "aten::split_with_sizes"};
  return of_the_host.contains(operation.name);
}

}  // namespace

int computations(std::span<const LoggedOperation> operations) {
  int count = 0;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    if (is_of_the_host(operations[i])) continue;
    bool has_none_inside = true;
    for (std::size_t j = i + 1; j < operations.size() && operations[j].depth > operations[i].depth;
         ++j) {
      has_none_inside &= is_of_the_host(operations[j]);
    }
    if (has_none_inside) ++count;
  }
  return count;
}

struct OperationLog::Notes {
  Notes() : before(current()) {
    current() = this;
    handle = at::addThreadLocalCallback(at::RecordFunctionCallback(begin, end)
                                            .needsInputs(true)
                                            .needsOutputs(true)
                                            .scopes({at::RecordScope::FUNCTION}));
  }
  ~Notes() {
    at::removeCallback(handle);
    current() = before;
  }

  static Notes*& current() {
    static thread_local Notes* notes = nullptr;
    return notes;
  }

  static std::unique_ptr<at::ObserverContext> begin(const at::RecordFunction& function) {
    Notes& notes = *current();
    std::ostringstream inputs;
    if (notes.open == 0) {
      for (const c10::IValue& value : function.inputs()) notes.describe(value, inputs);
    }
    notes.operations.push_back({function.name(), inputs.str(), notes.open++});
    return nullptr;
  }

  static void end(const at::RecordFunction& function, at::ObserverContext*) {
    Notes& notes = *current();
    if (--notes.open > 0) return;
    for (const c10::IValue& value : function.outputs()) notes.note_result(value);
  }

  static bool has_memory(const at::Tensor& tensor) {
    return tensor.defined() && tensor.has_storage();
  }

  void describe(const c10::IValue& value, std::ostringstream& to) {
    if (value.isTensor()) {
      describe(value.toTensor(), to);
    } else if (value.isList()) {
      to << '[';
      for (const c10::IValue& part : value.toListRef()) describe(part, to);
      to << ']';
    } else if (value.isInt() || value.isDouble() || value.isBool()) {
      to << value << ' ';
    }
  }

  void describe(const at::Tensor& tensor, std::ostringstream& to) {
    if (!tensor.defined()) return;
    to << tensor.sizes() << ' ';
    // A number that C++ wrote down becomes a tensor of its own each time.
    if (!has_memory(tensor) || tensor.unsafeGetTensorImpl()->is_wrapped_number()) return;
    const void* memory = tensor.storage().unsafeGetStorageImpl();
    if (made.contains(memory)) return;
    there.insert(memory);
    to << '@' << tensor.const_data_ptr() << ' ';
  }

  // A result that is a view of older memory, or was written there, is not made by the work.
  void note_result(const c10::IValue& value) {
    if (value.isTensor()) {
      const at::Tensor& tensor = value.toTensor();
      if (!has_memory(tensor)) return;
      const void* memory = tensor.storage().unsafeGetStorageImpl();
      if (!there.contains(memory)) made.insert(memory);
    } else if (value.isList()) {
      for (const c10::IValue& part : value.toListRef()) note_result(part);
    }
  }

  Notes* before;
  at::CallbackHandle handle = 0;
  std::vector<LoggedOperation> operations;
  int open = 0;  // operations that have not ended
  // Storages, which may be allocated after they were made: those of the work, and those before it.
  std::set<const void*> made;
  std::set<const void*> there;
};

OperationLog::OperationLog() : notes_(std::make_unique<Notes>()) {}

OperationLog::~OperationLog() = default;

const std::vector<LoggedOperation>& OperationLog::operations() const {
  return notes_->operations;
}
