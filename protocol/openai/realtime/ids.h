#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace protocol::openai::realtime {

// Makes the ids of a connection: "item_" and 21 letters and digits, of which the last ones count.
class Ids {
 public:
  // `seed` is what tells this connection's ids from those of others: random letters and digits.
  explicit Ids(std::string seed) : seed_(std::move(seed)) { seed_.resize(13, '0'); }

  std::string next(std::string_view prefix) {
    const std::string number = std::to_string(++count_);
    const std::string zeros(number.size() < 8 ? 8 - number.size() : 0, '0');
    return std::string(prefix) + seed_ + zeros + number;
  }

 private:
  std::string seed_;
  unsigned long long count_ = 0;
};

}  // namespace protocol::openai::realtime
