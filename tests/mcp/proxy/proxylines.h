// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "proxystage.h"

#include <QtTest>

// Lines of a legacy session, and how a ProxyStage tells of them.

namespace Rekindle {

inline constexpr char initializeRequest[] =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"x" : 1}})";
inline constexpr char initializeReplay[] =
    R"(S {"jsonrpc":"2.0","id":"rekindle-1","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"x" : 1}})";
inline constexpr char initialized[] = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";

inline QByteArray answerTo(const char *id, const char *result = "{}")
{
    return QByteArray(R"({"jsonrpc":"2.0","id":)") + id + R"(,"result":)" + result + '}';
}

inline QByteArray handshakeAnswer(const char *id, const char *version = "2025-11-25")
{
    return answerTo(id,
                    QByteArray(R"({"protocolVersion":")")
                        .append(version)
                        .append(R"(","capabilities":{"tools":{}}})")
                        .constData());
}

inline QByteArray call(const char *id, const char *tool)
{
    return QByteArray(R"({"jsonrpc":"2.0","id":)") + id
        + R"(,"method":"tools/call","params":{"name":")" + tool + R"("}})";
}

inline QString toServer(const QByteArray &line)
{
    return QLatin1String("S ") + QString::fromUtf8(line);
}
inline QString toClient(const QByteArray &line)
{
    return QLatin1String("C ") + QString::fromUtf8(line);
}
inline QString text(const char *words) { return QString::fromUtf8(words); }

} // namespace Rekindle

#define LOG(expression, ...) QCOMPARE(expression, (QStringList{__VA_ARGS__}))
