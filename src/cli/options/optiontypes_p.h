// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/enums.h>
#include <rekindle/policy/timepoint.h>
#include <rekindle/process/processdefinition.h>

#include <QHostAddress>
#include <QString>

#include <functional>
#include <optional>
#include <string>

namespace CLI {
class App;
class Option;
} // namespace CLI
class QDir;

namespace Rekindle {

// Options with their own types of values. The parser keeps references to the targets.

/// Adds an option. `read` stores its value, or returns false if it is not what is `expected`.
CLI::Option *addValue(CLI::App &parser, const std::string &name, const std::string &typeName,
                      const std::string &description, const std::string &expected,
                      std::function<bool(const QString &)> read);

/// Adds an option that takes a text, which must not be empty.
CLI::Option *addText(CLI::App &parser, const std::string &name, QString &target,
                     const std::string &description, const std::string &typeName);

/// Makes `path` absolute. A relative path is relative to `folder`. A path that is empty or equal to
/// `word`, such as "off", is unchanged.
void resolvePath(const QDir &folder, QString &path, QLatin1String word = {});

/// Adds an option that takes a text, which must not be empty, and can be repeated.
CLI::Option *addTexts(CLI::App &parser, const std::string &name, QStringList &target,
                      const std::string &description, const std::string &typeName);

/// Adds an option that takes a duration, such as "500ms".
CLI::Option *addDuration(CLI::App &parser, const std::string &name, std::optional<Duration> &target,
                         const std::string &description);

/// The same for a duration of more than 0.
CLI::Option *addTimeLimit(CLI::App &parser, const std::string &name,
                          std::optional<Duration> &target, const std::string &description);

/// Adds an option that takes a time, such as "2027-01-01T00:00:00Z".
CLI::Option *addTime(CLI::App &parser, const std::string &name, std::optional<UtcTime> &target,
                     const std::string &description);

/// Adds --tier.
CLI::Option *addTier(CLI::App &parser, LicenseTier &target, const std::string &description);

/// Adds --ready.
CLI::Option *addReady(CLI::App &parser, Readiness &target);

/// Adds an option with the values safe, always and never.
CLI::Option *addRetry(CLI::App &parser, const std::string &name, CallRetry &target,
                      const std::string &description);

/// A network address and a port.
struct ListenAddress
{
    QHostAddress address{};
    quint16 port = 0;
    bool operator==(const ListenAddress &) const = default;
};

/// Adds an option that takes "127.0.0.1:9464", "[::1]:9464", "localhost:9464", or a port on the
/// loopback address. Host names are not resolved.
CLI::Option *addListenAddress(CLI::App &parser, const std::string &name,
                              std::optional<ListenAddress> &target, const std::string &description);

} // namespace Rekindle
