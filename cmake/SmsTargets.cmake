# Settings that every target of this project shares.

add_library(sms_settings INTERFACE)
target_compile_features(sms_settings INTERFACE cxx_std_20)
target_compile_options(sms_settings INTERFACE
  -Wall -Wextra -Wconversion -Wsign-conversion -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wold-style-cast
  # g++ 12 sees uninitialised reads in every moved std::variant of optionals.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
if(SMS_WARNINGS_AS_ERRORS)
  target_compile_options(sms_settings INTERFACE -Werror)
endif()
if(SMS_SANITIZE)
  target_compile_options(sms_settings INTERFACE -fsanitize=${SMS_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(sms_settings INTERFACE -fsanitize=${SMS_SANITIZE})
  if(SMS_SANITIZE MATCHES thread AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(sms_settings INTERFACE -Wno-tsan)
  endif()
endif()

if(SMS_BUILD_FUZZERS)
  target_compile_options(sms_settings INTERFACE -fsanitize=fuzzer-no-link)
endif()

# sms_library(name SOURCES ... LINK ... LINK_PRIVATE ...): one library per folder.
function(sms_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK;LINK_PRIVATE" ${ARGN})
  add_library(${name} ${arg_SOURCES})
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_features(${name} PUBLIC cxx_std_20)
  target_link_libraries(${name} PUBLIC ${arg_LINK} PRIVATE ${arg_LINK_PRIVATE} $<BUILD_INTERFACE:sms_settings>)
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endfunction()

# sms_program(name SOURCES ... LINK ...)
function(sms_program name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${name} PRIVATE ${arg_LINK} sms_settings)
endfunction()

# sms_test(name SOURCES ... LINK ... LABELS ... TIMEOUT seconds): one GoogleTest program, one ctest entry.
function(sms_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "SOURCES;LINK;LABELS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE ${arg_LINK} GTest::gmock GTest::gtest_main sms_settings)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  add_test(NAME ${name} COMMAND ${name})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT})
endfunction()
