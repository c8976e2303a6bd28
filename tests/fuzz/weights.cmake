# A fuzzer for each parser of the weights readers. Start one from a good file:
#   weights_corpus corpus && fuzz/weights_ggml_fuzz corpus/ggml
foreach(format ctranslate2 safetensors ggml gguf mlx torch_zip torch_legacy pickle index)
  scribed_fuzzer(weights_${format}_fuzz SOURCES weights_${format}_fuzz.cpp DEPENDS engine_whisper_weights)
endforeach()
scribed_fuzzer(weights_adapter_fuzz SOURCES weights_adapter_fuzz.cpp DEPENDS toy_model)
if(SCRIBED_FUZZ)
  scribed_program(weights_corpus SOURCES weights_corpus.cpp DEPENDS toy_model)
  add_dependencies(fuzzers weights_corpus)
endif()
