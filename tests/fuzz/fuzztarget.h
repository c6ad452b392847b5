// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArrayView>

#include <cstdio>
#include <cstdlib>

/// One input. It must neither crash nor break what the target requires.
void fuzzOne(QByteArrayView bytes);

/// A broken rule ends the program, so that the fuzzer sees it.
inline void require(bool holds, const char *what)
{
    if (holds)
        return;
    std::fprintf(stderr, "broken: %s\n", what);
    std::abort();
}
