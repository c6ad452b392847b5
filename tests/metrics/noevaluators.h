// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/customevaluators.h>

namespace Rekindle {

/// Accepts every request and leaves the answer to the test.
class NoEvaluators final : public CustomEvaluators
{
public:
    using CustomEvaluators::CustomEvaluators;

    QList<Fault> check(const EvaluatorReference &) const override { return {}; }
    bool isAvailable(const QString &) const override { return true; }
    void attach(const QUuid &, const EvaluatorReference &) override {}
    void detach(const QUuid &) override {}
    void request(const EvaluatorRequest &request) override { lastToken = request.token; }
    void withdraw(quint64, Withdrawal) override {}

    quint64 lastToken = 0;
};

} // namespace Rekindle
