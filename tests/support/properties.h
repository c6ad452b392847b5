// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "sanitizer.h"

#include <rapidcheck.h>

#include <QtTest>

#include <cstdint>
#include <string>

namespace Rekindle {

// With ThreadSanitizer, which is ten times slower, fewer runs are sufficient to detect races.
constexpr int runsHere(int runs) { return underThreadSanitizer ? (runs + 9) / 10 : runs; }

/// Checks a rapidcheck property with a fixed seed and number of runs, so that the result is
/// reproducible. Fails the current test function with the smallest counterexample.
template<typename Property>
void verifyProperty(const std::string &name, int runs, Property &&property, std::uint64_t seed = 42)
{
    rc::detail::TestMetadata metadata;
    metadata.id = name;
    metadata.description = name;
    rc::detail::TestParams params;
    params.seed = seed;
    params.maxSuccess = runsHere(runs);
    const rc::detail::TestResult result =
        rc::detail::checkTestable(std::forward<Property>(property), metadata, params);
    std::ostringstream text;
    rc::detail::printResultMessage(result, text);
    const bool held = result.template is<rc::detail::SuccessResult>();
    QVERIFY2(held, (name + ": " + text.str()).c_str());
}

} // namespace Rekindle
