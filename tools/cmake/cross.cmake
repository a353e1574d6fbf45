# SPDX-License-Identifier: GPL-2.0-or-later
# A build for another CPU, which is CMAKE_SYSTEM_PROCESSOR: Debian's cross
# compiler, the libraries that tools/cross-libraries puts into CMAKE_SYSROOT,
# and tests run by qemu-user. Included by the toolchain file of that CPU.
set(CMAKE_SYSTEM_NAME Linux)
set(triplet ${CMAKE_SYSTEM_PROCESSOR}-linux-gnu)
set(CMAKE_C_COMPILER ${triplet}-gcc)
set(CMAKE_CROSSCOMPILING_EMULATOR
	qemu-${CMAKE_SYSTEM_PROCESSOR} -L ${CMAKE_SYSROOT})

set(ENV{PKG_CONFIG_SYSROOT_DIR} ${CMAKE_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR} "${CMAKE_SYSROOT}/usr/lib/${triplet}/pkgconfig:\
${CMAKE_SYSROOT}/usr/lib/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig")

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
