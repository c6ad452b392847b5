// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/quick/qmltypes.h>

#include <QQmlExtensionPlugin>

class RekindleQuickPlugin : public QQmlExtensionPlugin
{
    Q_OBJECT
    Q_PLUGIN_METADATA(IID QQmlExtensionInterface_iid)

public:
    void registerTypes(const char * /*uri*/) override { Rekindle::registerQmlTypes(); }
};

#include "quickplugin.moc"
