// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "importedconfiguration_p.h"

#include <QByteArrayView>
#include <QString>

namespace Rekindle {

/// Reads a configuration of supervisord. `%(ENV_NAME)s` becomes `${NAME}`.
[[nodiscard]] Imported readSupervisord(QByteArrayView text);

/// Reads a service unit of systemd. The name of the file is the name of the agent, and the text
/// after its "@" is the instance.
[[nodiscard]] Imported readSystemd(QByteArrayView text, const QString &fileName);

/// Reads an ecosystem file of pm2: JSON, or JavaScript that exports an object without expressions.
[[nodiscard]] Imported readPm2(QByteArrayView text);

/// Reads a Procfile.
[[nodiscard]] Imported readProcfile(QByteArrayView text);

/// Reads the services of a Compose file (YAML).
[[nodiscard]] Imported readCompose(QByteArrayView text);

} // namespace Rekindle
