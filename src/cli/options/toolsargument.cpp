// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "toolsargument_p.h"

#include "cli/output/messages_p.h"

#include "json/jsonparser.h"

#include <QFile>
#include <QJsonDocument>

#include <fcntl.h>
#include <unistd.h>

namespace Rekindle {

std::optional<QJsonObject> toolArguments(const QString &text, Messages &messages)
{
    QByteArray json = text.toUtf8();
    QString place = QStringLiteral("JSON");
    if (text == QLatin1String("-")) {
        place = QStringLiteral("stdin");
        // main() puts a write-only descriptor in the place of a closed one.
        if ((::fcntl(STDIN_FILENO, F_GETFL) & O_ACCMODE) == O_WRONLY) {
            messages.say(QStringLiteral("stdin: cannot read: closed"));
            return {};
        }
        QFile input;
        if (!input.open(STDIN_FILENO, QIODevice::ReadOnly)) {
            messages.say(QStringLiteral("stdin: cannot read: %1").arg(input.errorString()));
            return {};
        }
        json = input.read(maxJsonSize + 1);
        if (input.error() != QFileDevice::NoError) {
            messages.say(QStringLiteral("stdin: cannot read: %1").arg(input.errorString()));
            return {};
        }
    }
    // Qt's parser would not report line and column.
    const Parsed<JsonNode> parsed = parseJson(json);
    if (!parsed) {
        messages.sayFaults(parsed.faults, place);
        return {};
    }
    const QJsonDocument document = QJsonDocument::fromJson(json);
    if (!document.isObject()) {
        messages.sayFaults({{{},
                             QStringLiteral("expected an object such as {\"message\": \"hi\"}"),
                             Fault::Severity::Error,
                             1,
                             1}},
                           place);
        return {};
    }
    return document.object();
}

} // namespace Rekindle
