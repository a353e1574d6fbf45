# SPDX-License-Identifier: GPL-2.0-or-later
# libpfm4, which has no pkg-config file: the target PFM::PFM.
find_path(PFM_INCLUDE_DIR perfmon/pfmlib_perf_event.h)
find_library(PFM_LIBRARY pfm)
if(NOT PFM_INCLUDE_DIR OR NOT PFM_LIBRARY)
	message(FATAL_ERROR "libpfm4 is missing: install libpfm4-dev")
endif()
mark_as_advanced(PFM_INCLUDE_DIR PFM_LIBRARY)
add_library(PFM::PFM UNKNOWN IMPORTED)
set_target_properties(PFM::PFM PROPERTIES
	IMPORTED_LOCATION ${PFM_LIBRARY}
	INTERFACE_INCLUDE_DIRECTORIES ${PFM_INCLUDE_DIR})
