# Starts best from a folder of short recordings of many formats: fuzz/media_decode_fuzz recordings
scribed_fuzzer(media_decode_fuzz SOURCES media_decode_fuzz.cpp DEPENDS media)
