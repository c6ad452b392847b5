// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/lifecycle/lifecyclesignals.h>

#include <variant>

namespace Rekindle {

namespace {

template<typename... Event>
constexpr bool isOrderOf(std::variant<Event...> * /*all*/,
                         const std::tuple<void (LifecycleSignals::*)(const Event &)...> & /*of*/)
{
    return true;
}

} // namespace

LifecycleSignals::LifecycleSignals(QObject *parent)
    : QObject(parent)
{
    // The signals of events have the order of LifecycleEvent.
    static_assert(isOrderOf(static_cast<LifecycleEvent *>(nullptr), ofEvents()));
}

LifecycleSignals::~LifecycleSignals() = default;

} // namespace Rekindle
