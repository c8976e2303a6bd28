#pragma once

#include <ATen/ATen.h>
#include <ATen/core/ivalue.h>
#include <ATen/record_function.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

// An operation of libtorch that a piece of work asked for.
struct LoggedOperation {
  std::string name;    // "aten::mm"
  std::string inputs;  // numbers, sizes, and the addresses of memory that was there before the work
  bool is_leaf = true;  // no other operation ran inside

  bool operator==(const LoggedOperation&) const = default;
};

// Writes down the operations of this thread while it lives. Two logs of one piece of work are equal
// only if all its operations have the same numbers, sizes, and memory: what a device replays.
class OperationLog {
 public:
  OperationLog() : before_(current()) {
    current() = this;
    handle_ = at::addThreadLocalCallback(at::RecordFunctionCallback(begin, end)
                                             .needsInputs(true)
                                             .needsOutputs(true)
                                             .scopes({at::RecordScope::FUNCTION}));
  }
  OperationLog(const OperationLog&) = delete;
  ~OperationLog() {
    at::removeCallback(handle_);
    current() = before_;
  }

  const std::vector<LoggedOperation>& operations() const { return operations_; }

  // Returns how many operations of these names there are.
  std::int64_t count(const std::set<std::string>& names) const {
    return std::ranges::count_if(operations_,
                                 [&](const auto& o) { return names.contains(o.name); });
  }

 private:
  static OperationLog*& current() {
    static thread_local OperationLog* log = nullptr;
    return log;
  }

  static std::unique_ptr<at::ObserverContext> begin(const at::RecordFunction& function) {
    OperationLog& log = *current();
    if (!log.open_.empty()) log.operations_[log.open_.back()].is_leaf = false;
    std::ostringstream inputs;
    for (const c10::IValue& value : function.inputs()) log.describe(value, inputs);
    log.open_.push_back(log.operations_.size());
    log.operations_.push_back({function.name(), inputs.str(), true});
    return nullptr;
  }

  static void end(const at::RecordFunction& function, at::ObserverContext*) {
    OperationLog& log = *current();
    if (!log.open_.empty()) log.open_.pop_back();
    for (const c10::IValue& value : function.outputs()) log.note_made(value);
  }

  static bool has_memory(const at::Tensor& tensor) {
    return tensor.defined() && tensor.has_storage() && tensor.numel() > 0;
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
    const void* memory = tensor.storage().data();
    if (made_.contains(memory)) return;
    there_.insert(memory);
    to << '@' << tensor.const_data_ptr() << ' ';
  }

  // A result that is a view of older memory, or was written there, is not made by the work.
  void note_made(const c10::IValue& value) {
    if (value.isTensor()) {
      const at::Tensor& tensor = value.toTensor();
      if (!has_memory(tensor)) return;
      const void* memory = tensor.storage().data();
      if (!there_.contains(memory)) made_.insert(memory);
    } else if (value.isList()) {
      for (const c10::IValue& part : value.toListRef()) note_made(part);
    }
  }

  OperationLog* before_;
  at::CallbackHandle handle_ = 0;
  std::vector<LoggedOperation> operations_;
  std::vector<std::size_t> open_;  // indices of those that have not ended
  std::set<const void*> made_;     // addresses of memory that the work allocated
  std::set<const void*> there_;    // and of memory that was there before
};
