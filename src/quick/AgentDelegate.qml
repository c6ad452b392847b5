// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
import QtQuick
import QtQuick.Controls.Basic
import Rekindle

ItemDelegate {
    id: item

    required property string name
    required property string stateText
    required property string detail
    required property var agentState

    width: ListView.view ? ListView.view.width : implicitWidth
    text: name
    Accessible.name: qsTr("%1: %2").arg(name).arg(detail || stateText)

    contentItem: Row {
        spacing: 8
        StatusDot {
            anchors.verticalCenter: parent.verticalCenter
            agentState: item.agentState
            scheme: item.palette.base.hslLightness < 0.5 ? StateColors.Scheme.Dark : StateColors.Scheme.Light
        }
        Label { text: item.name; font.bold: true }
        Label { text: item.stateText }
        Label { text: item.detail }
    }
}
