// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QFuture>
#include <QPromise>

#include <utility>

namespace Rekindle {

/// Returns a future that is finished with this result. QtFuture::makeReadyValueFuture() needs
/// Qt 6.6, which deprecates its predecessor.
template<typename T>
[[nodiscard]] QFuture<T> readyFuture(T result)
{
    QPromise<T> promise;
    promise.start();
    promise.addResult(std::move(result));
    promise.finish();
    return promise.future();
}

} // namespace Rekindle
