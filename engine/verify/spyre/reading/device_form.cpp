// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/reading/device_form.h"

#include "engine/base/numeric.h"

#include <algorithm>

namespace memplan::verify {

std::int64_t elementsOfStick(std::string_view deviceDtype) {
    if (deviceDtype == "SEN169_FP16") return 64;
    if (deviceDtype == "IEEE_FP32" || deviceDtype == "IEEE_INT32") return 32;
    if (deviceDtype == "SEN143_FP8" || deviceDtype == "SENINT8") return 128;
    return 0;
}

std::string_view deviceFormatOf(DType dtype) {
    switch (dtype) {
    case DType::F16:
    case DType::BF16:
    case DType::Bool:
        return "SEN169_FP16";
    case DType::F64:
    case DType::F32:
    case DType::TF32:
        return "IEEE_FP32";
    case DType::I64:
    case DType::U64:
    case DType::I32:
    case DType::U32:
    case DType::I16:
    case DType::U16:
        return "IEEE_INT32";
    case DType::I8:
    case DType::I4:
    case DType::U8:
    case DType::U4:
        return "SENINT8";
    case DType::F8E4M3:
    case DType::F8E5M2:
    case DType::F4:
    case DType::BFP8:
    case DType::BFP4:
        return "SEN143_FP8";
    case DType::Str:
        break;
    }
    return {};
}

DigitReader::DigitReader(const std::vector<std::int64_t>& deviceSize, const std::vector<std::int64_t>& strideMap)
    : rank_(deviceSize.size()) {
    for (std::size_t d = 0; d < deviceSize.size() && d < strideMap.size(); ++d) {
        if (deviceSize[d] > 1 && strideMap[d] > 0) digits_.push_back({d, strideMap[d]});
    }
    std::stable_sort(digits_.begin(), digits_.end(),
                     [](const Digit& a, const Digit& b) { return a.stride > b.stride; });
}

void DigitReader::read(std::int64_t element, std::vector<std::int64_t>& positions) const {
    positions.assign(rank_, 0);
    for (const Digit& digit : digits_) {
        positions[digit.dim] = element / digit.stride;
        element %= digit.stride;
    }
}

bool DigitReader::moves(std::size_t dim, std::int64_t step, std::int64_t extent) const {
    if (step == 0 || extent <= 1) return false;
    for (const Digit& digit : digits_) {
        if (digit.dim == dim)
            return step != 0 && (step >= digit.stride || saturatedMul(step, extent - 1) >= digit.stride);
        step %= digit.stride;  // whole turns of what is above do not move it
    }
    return false;
}

}  // namespace memplan::verify
