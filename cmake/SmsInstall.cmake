# find_package(sms_sdk) gives sms::sdk and sms::testing.

include(CMakePackageConfigHelpers)

set(sms_installed
  sms_core sms_providers sms_transport_curl sms_store_memory sms_store_migrating sms_store_sqlite
  sms_store_open sms_testing sms_sdk)
foreach(name IN LISTS sms_server_stores)
  list(APPEND sms_installed sms_store_${name})
  add_library(sms::${name} ALIAS sms_store_${name})
endforeach()
foreach(target IN LISTS sms_installed)
  string(REGEX REPLACE "^sms_" "" name ${target})
  string(REGEX REPLACE "^store_(postgres|redis|dynamodb)$" "\\1" name ${name})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
endforeach()
add_library(sms::testing ALIAS sms_testing)

install(TARGETS ${sms_installed} EXPORT sms_sdk)
install(DIRECTORY include/sms DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT sms_sdk NAMESPACE sms:: FILE sms_sdk-targets.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sms_sdk)

configure_package_config_file(cmake/sms_sdk-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/sms_sdk-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sms_sdk)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/sms_sdk-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/sms_sdk-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/sms_sdk-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sms_sdk)
