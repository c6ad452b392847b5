// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "sanitizer.h"

#include <rapidcheck.h>

#include <QtTest>

#include <cstdint>
#include <string>
#include <vector>

namespace Rekindle {

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

/// Checks that no random trace leads a model into a fault. One number is one step, so that a trace
/// shrinks to the steps that matter. `make` makes the model from a random number.
template<typename Make>
void verifyTraces(const std::string &name, int runs, int length, const Make &make)
{
    verifyProperty(name, runs, [&] {
        const auto number = rc::gen::resize(100, rc::gen::inRange(0U, 1U << 31));
        const std::uint32_t seed = *number;
        const auto trace =
            *rc::gen::resize(length, rc::gen::container<std::vector<std::uint32_t>>(number));
        auto model = make(seed);
        for (const std::uint32_t step : trace) {
            if (model.fault().isEmpty())
                model.step(step);
        }
        if (model.fault().isEmpty())
            model.finish();
        if (!model.fault().isEmpty())
            RC_FAIL(model.fault().toStdString());
    });
}

} // namespace Rekindle
