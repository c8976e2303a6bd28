#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace toy {

using Tensors = std::map<std::string, std::vector<float>>;

// The tensors of Silero's 16 kHz network, of its shapes and with made-up numbers.
Tensors silero_tensors();

// The file that holds them, but for the tensor named `without`.
void write_silero(const std::filesystem::path& file, const Tensors& tensors,
                  const std::string& without = "");

// Returns the network's probabilities for a whole recording, computed as its description reads.
std::vector<double> silero_probabilities(const Tensors& tensors, std::vector<float> pcm);

}  // namespace toy
