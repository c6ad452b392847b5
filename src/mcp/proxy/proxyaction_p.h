// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "proxyrefusal_p.h"
#include "restartmarker_p.h"

#include <QByteArray>
#include <QString>

namespace Rekindle {

/// What a proxy session requests from its host. Actions must be performed in order.
struct ProxyAction
{
    enum class Kind {
        ToClient,       ///< `bytes`: a line without its end
        Refuse,         ///< `refusal`, for the client
        ToServer,       ///< `bytes`: a line without its end
        RequestRestart, ///< `text`: the reason; answer with restartDecided()
        FailServer,     ///< `text`: why the running server is unusable; its policy decides
        ReportSuccess,  ///< the first result of a call. A handshake and lists do not count: a
                        ///< server that fails on every call provides these too
        WriteMarker,    ///< `marker`
        ReadMarker,     ///< answer with markerRead()
        Note,           ///< `text`: for the log
    };

    Kind kind = Kind::Note;
    QByteArray bytes{};
    QString text{};
    RestartMarker marker{};
    ProxyRefusal refusal{};
};

} // namespace Rekindle
