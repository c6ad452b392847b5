// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QSslConfiguration>
#include <QStringList>

namespace Rekindle {

struct EtcdOptions;

/// Certificates and key of the options.
struct EtcdTls
{
    QSslConfiguration configuration{};
    QStringList faults{};
};

[[nodiscard]] EtcdTls readEtcdTls(const EtcdOptions &options);

} // namespace Rekindle
