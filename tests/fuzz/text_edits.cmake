# The pure parts of server/jobs and server/api alone: neither the store nor the server is built here.
set(text_edits_parts api/form_values.cpp api/text_ops.cpp jobs/folded_text.cpp jobs/segment_edits.cpp
  jobs/text_find.cpp jobs/word_times.cpp options/text_limits.cpp)
list(TRANSFORM text_edits_parts PREPEND ${PROJECT_SOURCE_DIR}/server/)
scribed_fuzzer(text_edits_fuzz SOURCES text_edits_fuzz.cpp ${text_edits_parts}
  DEPENDS server_base protocol nlohmann_json::nlohmann_json fmt::fmt ICU::uc)
