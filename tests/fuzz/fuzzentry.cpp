// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// The entry point for libFuzzer.

#include "fuzztarget.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    fuzzOne(QByteArrayView(data, static_cast<qsizetype>(size)));
    return 0;
}
