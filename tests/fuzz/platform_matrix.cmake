# Starts best from the document itself: fuzz/platform_matrix_fuzz platform/matrix
scribed_fuzzer(platform_matrix_fuzz SOURCES platform_matrix_fuzz.cpp DEPENDS platform_matrix)
