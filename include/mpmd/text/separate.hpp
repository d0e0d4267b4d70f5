#pragma once
/// The one switch of the text room: with MPMD_SEPARATE_TEXT, readers and printers are compiled in one file of a project
/// instead of in each that includes them (text/mlir.hpp tells how). All files of a program have to agree on it.

#ifdef MPMD_SEPARATE_TEXT
#define MPMD_TEXT_DECL
#else
#define MPMD_TEXT_DECL inline
#endif
