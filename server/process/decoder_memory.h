#pragma once

#include <functional>
#include <list>
#include <memory>
#include <string>

namespace server {

// Limits how many decoders have their large limit of memory (protocol/decoder_memory.h) at once, so
// that what all decoders take together is bounded. The others wait. It is used on one thread.
class DecoderMemory : public std::enable_shared_from_this<DecoderMemory> {
 public:
  explicit DecoderMemory(int places) : places_(places) {}

  // A decoder that has asked, and its place once there is one. Destroying it gives the place to the
  // next.
  class Wish {
   public:
    Wish(const Wish&) = delete;
    ~Wish() { memory_->drop(*this); }

    bool is_granted() const { return is_granted_; }

   private:
    friend class DecoderMemory;
    Wish(std::shared_ptr<DecoderMemory> memory, std::string owner, std::function<void()> grant)
        : memory_(std::move(memory)), owner_(std::move(owner)), grant_(std::move(grant)) {}

    std::shared_ptr<DecoderMemory> memory_;
    std::string owner_;
    std::function<void()> grant_;
    bool is_granted_ = false;
  };

  // Calls `grant` once when there is a place, which may be at once. Places go to the owner who has
  // the fewest, and among equals to who asked first. One place is never one owner's who has all
  // others.
  std::unique_ptr<Wish> ask(std::string owner, std::function<void()> grant);

 private:
  void drop(const Wish& wish);
  void serve();
  int granted_to(const std::string& owner) const;
  Wish* next() const;  // nullptr: nobody may have a place now

  int places_;
  std::list<Wish*> wishes_{};  // in the order of asking; their callers own them
};

}  // namespace server
