#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/api/transcription_form.h"

namespace server {

// A form that is being read. Arrays are collected first, and checked when all fields are there.
struct FormReading {
  TranscriptionForm form{};
  FormKind kind = FormKind::transcription;
  FormLimits limits{};
  std::vector<std::string> keywords{};
  std::vector<std::string> languages{};
  std::vector<std::string> granularities{};
  std::string chunking{};  // auto or server_vad; empty: no chunking_strategy
  std::vector<std::string> known_names{};
  std::vector<std::optional<SoundSource>> known_clips{};  // nothing: it was no data: URL
};

// The kinds of forms that have a parameter.
struct FormKinds {
  bool transcriptions = false;
  bool translations = false;
  bool jobs = false;
  // Translations ignore the parameter, since their text is the same without it.
  bool is_moot_in_translations = false;

  constexpr bool has(FormKind kind) const {
    if (kind == FormKind::transcription) return transcriptions;
    return kind == FormKind::translation ? translations : jobs;
  }
};

// A parameter of forms that is no decoding option; protocol/option_table.h has those.
struct FormParameter {
  std::string_view name;
  FormKinds kinds;
  FormProblem (*read)(FormReading& reading, const FormField& field);
  bool takes_empty = false;  // an empty field counts as a value
  // Values are of a closed list of names in lower case, and count in any case.
  bool has_names = false;
};

std::span<const FormParameter> form_parameters();

// Returns what stands before the bracket: "keywords[]" and "metadata[key]" are fields of the
// parameters `keywords` and `metadata`.
std::string_view base_name(std::string_view name);

}  // namespace server
