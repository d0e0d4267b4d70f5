#pragma once
/// All pretty forms that the reader and the printer know.

#include <mpmd/text/mlir/foreign_form.hpp>
#include <mpmd/text/mlir/form.hpp>
#include <mpmd/text/mlir/func_forms.hpp>
#include <mpmd/text/mlir/mpmd_forms.hpp>
#include <mpmd/text/mlir/sdy_forms.hpp>
#include <mpmd/text/mlir/stablehlo_forms.hpp>

namespace mpmd::text::mlir {

inline constexpr form_table all_forms{&foreign_form,
                                      func_forms,
                                      mpmd_forms,
                                      sdy_forms,
                                      stablehlo::simple_forms,
                                      stablehlo::dot_forms,
                                      stablehlo::data_forms,
                                      stablehlo::call_forms,
                                      stablehlo::region_forms};

}  // namespace mpmd::text::mlir
