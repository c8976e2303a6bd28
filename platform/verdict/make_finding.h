#pragma once

#include <string>
#include <string_view>

#include "platform/matrix/matrix.h"
#include "platform/verdict/finding.h"

namespace platform {

// The values of the placeholders of a finding's row.
struct FindingValues {
  std::string card{};    // {card}: "NVIDIA GeForce RTX 3060"
  std::string found{};   // {found}
  std::string needed{};  // {needed}
  std::string pack{};    // {pack}: "the pack cuda-13"
  std::string model{};   // {model}: "the model large"
  std::string value{};   // {value}: anything else in the sentence, as a variable
};

// Makes a finding in the words of the matrix. In a headline a part in [brackets] is left out where
// a value in it is missing, and elsewhere a neutral word replaces the value; a fix step without its
// value is left out whole, so that a row can hold steps that apply only sometimes. A code without a
// row still gets a sentence.
Finding make_finding(const Matrix& matrix, std::string_view code, Severity severity,
                     const FindingValues& values, std::string read_from);

// Returns "the pack cuda-13"; empty if there is none.
std::string pack_in_words(std::string_view pack);

// Returns "docs/gpu-findings.md#cuda_driver_too_old".
std::string guide_link(std::string_view code);

}  // namespace platform
