# The reader of answers alone: neither libcurl nor the store of models is built here.
scribed_fuzzer(objects_xml_fuzz SOURCES objects_xml_fuzz.cpp ${PROJECT_SOURCE_DIR}/server/objects/xml_fields.cpp)
