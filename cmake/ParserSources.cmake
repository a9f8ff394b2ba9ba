# The sources of each parser of files from outside, for the tests that compile them
# once more under the sanitizers (test/Fuzz, test/Long).
function(tt_parser_sources variable folder)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/lib/${folder}/ OUTPUT_VARIABLE paths)
  set(${variable} ${paths} ${${variable}} PARENT_SCOPE)
endfunction()

tt_parser_sources(TT_JSON_PARSER Runtime
  ErrorText.cpp Json.cpp JsonText.cpp Safetensors.cpp SafetensorsDtype.cpp)
set(TT_SAFETENSORS_PARSER ${TT_JSON_PARSER})
set(TT_CONFIG_PARSER ${TT_JSON_PARSER})
tt_parser_sources(TT_CONFIG_PARSER Support Escape.cpp JsonDocument.cpp)
tt_parser_sources(TT_CONFIG_PARSER Frontend
  ConfigKeys.cpp ConfigReader.cpp Gpt2Config.cpp LlamaConfig.cpp RopeConfig.cpp)
tt_parser_sources(TT_PRESCAN_PARSER Support AliasGraph.cpp SourcePrescan.cpp)
tt_parser_sources(TT_NPY_PARSER Support Escape.cpp NpyFile.cpp)
tt_parser_sources(TT_NPY_PARSER Runtime
  AtomicFile.cpp ErrorText.cpp SafetensorsDtype.cpp JsonText.cpp)
