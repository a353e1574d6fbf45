# SPDX-License-Identifier: GPL-2.0-or-later
# The words every CMakeLists here is written with: fz_add_layer,
# fz_add_library, fz_add_plugins, fz_add_test, fz_add_cli_test, fz_command and
# fz_not_emulated.

add_library(fz_warnings INTERFACE)
target_compile_options(fz_warnings INTERFACE
	-Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
	-Wwrite-strings -Wpointer-arith -Wundef)

# fz_add_layer(NAME DEPS layer... SOURCES stem...)
# The library of a folder, whose public headers must compile alone.
function(fz_add_layer name)
	fz_add_library(${name} ${ARGN})
	fz_check_headers(${name})
endfunction()

# fz_add_library(NAME DEPS name... SOURCES stem...)
# A static library. Its include root is the folder that calls this plus those of
# DEPS, so that an include against the arrows does not compile.
function(fz_add_library name)
	cmake_parse_arguments(ARG "" "" "DEPS;SOURCES" ${ARGN})
	list(TRANSFORM ARG_SOURCES APPEND .c)
	add_library(fz_${name} STATIC ${ARG_SOURCES})
	add_library(fz::${name} ALIAS fz_${name})
	target_include_directories(fz_${name}
		PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
	target_compile_definitions(fz_${name} PRIVATE _GNU_SOURCE)
	target_link_libraries(fz_${name} PRIVATE $<BUILD_INTERFACE:fz_warnings>)
	foreach(dep IN LISTS ARG_DEPS)
		target_link_libraries(fz_${name} PUBLIC fz_${dep})
	endforeach()
endfunction()

# Every public header of a layer must compile on its own.
function(fz_check_headers name)
	file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/fz/*.h)
	set(units)
	foreach(header IN LISTS headers)
		get_filename_component(stem ${header} NAME_WE)
		set(unit ${CMAKE_CURRENT_BINARY_DIR}/alone/${stem}.c)
		file(CONFIGURE OUTPUT ${unit} CONTENT
			"#include <fz/${stem}.h>\n#include <fz/${stem}.h>\n")
		list(APPEND units ${unit})
	endforeach()
	add_library(fz_${name}_headers OBJECT ${units})
	target_link_libraries(fz_${name}_headers PRIVATE fz_${name} fz_warnings)
	target_compile_definitions(fz_${name}_headers PRIVATE _GNU_SOURCE)
endfunction()

# fz_add_plugins(LIBRARY KIND DIR word...)
# Adds DIR/word.c for each word to the library and generates KIND_list.h, one line
# X(word) for each, in the order given here: the order of the table. The global
# property fz_KIND_words has them too.
function(fz_add_plugins library kind dir)
	set(lines)
	foreach(word IN LISTS ARGN)
		target_sources(fz_${library} PRIVATE ${dir}/${word}.c)
		string(APPEND lines "X(${word})\n")
	endforeach()
	file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/generated/${kind}_list.h
		CONTENT "${lines}")
	target_include_directories(fz_${library}
		PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/generated)
	set_property(GLOBAL PROPERTY fz_${kind}_words ${ARGN})
endfunction()

# The bytes of a file as C has them between braces.
function(fz_text_bytes variable file)
	file(READ ${file} bytes HEX)
	string(REGEX REPLACE "(................................)" "\\1\n" bytes
		"${bytes}")
	string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
	set(${variable} "${bytes}" PARENT_SCOPE)
	set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
endfunction()

# fz_embed_texts(TARGET HEADER file...)
# The bytes of each file in HEADER: text_NAME_h of .../NAME.h.
function(fz_embed_texts target header)
	set(texts)
	foreach(file IN LISTS ARGN)
		get_filename_component(name ${file} NAME)
		string(MAKE_C_IDENTIFIER text_${name} symbol)
		fz_text_bytes(bytes ${file})
		string(APPEND texts
			"static const char ${symbol}[] __attribute__((unused)) = {\n${bytes}0\n};\n")
	endforeach()
	file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/generated/${header}
		CONTENT "${texts}")
	target_include_directories(${target}
		PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/generated)
endfunction()

# fz_embed_profiles(TARGET DIR name...)
# The bytes of DIR/NAME.json for each name, in profile_texts.h, and a line
# X("NAME", text) in profile_list.h, in the order given here.
function(fz_embed_profiles target dir)
	set(texts)
	set(lines)
	foreach(name IN LISTS ARGN)
		fz_text_bytes(bytes ${dir}/${name}.json)
		string(MAKE_C_IDENTIFIER profile_${name} symbol)
		string(APPEND texts
			"static const char ${symbol}[] = {\n${bytes}0\n};\n")
		string(APPEND lines "X(\"${name}\", ${symbol})\n")
	endforeach()
	file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/generated/profile_texts.h
		CONTENT "${texts}")
	file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/generated/profile_list.h
		CONTENT "${lines}")
	target_include_directories(${target}
		PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/generated)
endfunction()

# fz_add_test(LAYER stem [TIMEOUT seconds] [LIBRARY name] [LIBS target...])
# tests/LAYER/test_STEM.c, linked with that layer only, or with LIBRARY instead;
# ctest name LAYER.STEM.
function(fz_add_test layer stem)
	cmake_parse_arguments(ARG "" "TIMEOUT;LIBRARY" "LIBS" ${ARGN})
	if(NOT ARG_LIBRARY)
		set(ARG_LIBRARY ${layer})
	endif()
	if(NOT ARG_TIMEOUT)
		set(ARG_TIMEOUT 60)
	endif()
	set(target test_${layer}_${stem})
	add_executable(${target} ${CMAKE_SOURCE_DIR}/tests/${layer}/test_${stem}.c)
	target_link_libraries(${target} PRIVATE fz_test_main fz_${ARG_LIBRARY}
		${ARG_LIBS} fz_warnings)
	target_compile_definitions(${target} PRIVATE _GNU_SOURCE
		FZ_TEST_DIR="${CMAKE_SOURCE_DIR}/tests")
	add_test(NAME ${layer}.${stem} COMMAND ${target})
	set_tests_properties(${layer}.${stem} PROPERTIES LABELS ${layer}
		TIMEOUT ${ARG_TIMEOUT} SKIP_RETURN_CODE 77)
endfunction()

# fz_command(VARIABLE target)
# For scripts: a command of one word that runs the program. Once a target.
function(fz_command variable target)
	set(command $<TARGET_FILE:${target}>)
	if(CMAKE_CROSSCOMPILING_EMULATOR)
		list(JOIN CMAKE_CROSSCOMPILING_EMULATOR " " emulator)
		set(script ${CMAKE_BINARY_DIR}/emulated/${target})
		file(GENERATE OUTPUT ${script}
			CONTENT "#!/bin/sh\nexec ${emulator} '${command}' \"$@\"\n"
			FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
				GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
		set(command ${script})
	endif()
	set(${variable} ${command} PARENT_SCOPE)
endfunction()

# fz_not_emulated(ctest-name...)
# An emulator would make these fail, or take minutes: not run there.
function(fz_not_emulated)
	if(CMAKE_CROSSCOMPILING)
		set_tests_properties(${ARGN} PROPERTIES DISABLED TRUE)
	endif()
endfunction()

# fz_add_cli_test(stem [TIMEOUT seconds])
# tests/cli/STEM.sh, run with FOLIOSIM set to foliosim_command, SOURCE_DIR to
# the sources, SANITIZED to something in a build with sanitizers; ctest name
# cli.STEM.
function(fz_add_cli_test stem)
	cmake_parse_arguments(ARG "" "TIMEOUT" "" ${ARGN})
	if(NOT ARG_TIMEOUT)
		set(ARG_TIMEOUT 120)
	endif()
	set(sanitized)
	if(CMAKE_C_FLAGS MATCHES "-fsanitize=")
		set(sanitized yes)
	endif()
	add_test(NAME cli.${stem}
		COMMAND bash ${CMAKE_SOURCE_DIR}/tests/cli/${stem}.sh)
	set_tests_properties(cli.${stem} PROPERTIES LABELS cli
		TIMEOUT ${ARG_TIMEOUT} SKIP_RETURN_CODE 77
		ENVIRONMENT "FOLIOSIM=${foliosim_command};SOURCE_DIR=${CMAKE_SOURCE_DIR};SANITIZED=${sanitized}")
endfunction()
