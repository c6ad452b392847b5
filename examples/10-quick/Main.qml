// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import Demo
import Rekindle

ApplicationWindow {
    id: window
    width: 1280
    height: 800
    visible: true
    title: qsTr("%1 of %2 agents are running").arg(supervisor.running).arg(supervisor.total)

    // The style Basic does not use the colors of the desktop.
    SystemPalette { id: colors }
    palette {
        window: colors.window; windowText: colors.windowText; base: colors.base; text: colors.text
        button: colors.button; buttonText: colors.buttonText; light: colors.midlight; midlight: colors.mid; dark: colors.text
    }

    AgentModel { id: agents; source: supervisor }
    EventModel { id: events; source: supervisor }
    Agent {
        id: current
        model: agents
        name: list.currentItem?.name ?? ""
        onExplained: text => explanation.text = text
        onRefused: text => explanation.text = text
        onChanged: why()
        onModelChanged: why()
    }

    header: ToolBar {
        RowLayout {
            Repeater {
                model: current.actions
                ToolButton {
                    text: modelData.text
                    enabled: modelData.isEnabled
                    onClicked: current.operate(modelData.operation)
                }
            }
            ToolSeparator {}
            Repeater {
                model: [Demo.Crash, Demo.Hang, Demo.Leak]
                ToolButton {
                    text: ["Crash", "Hang", "Leak"][modelData]
                    onClicked: demo.damage(list.currentItem.instanceId, modelData)
                }
            }
            ToolButton { text: "Reload policy"; onClicked: explanation.text = demo.reloadPolicy().join("\n") }
            ComboBox {
                model: ["Core", "WriterPro", "Teams", "Enterprise"]
                currentIndex: supervisor.tier
                onActivated: index => license.setTier(index)
            }
        }
    }

    SplitView {
        anchors.fill: parent
        orientation: Qt.Vertical
        SplitView {
            SplitView.preferredHeight: 280
            ListView {
                id: list
                SplitView.fillWidth: true
                model: agents
                delegate: AgentDelegate {
                    required property int index
                    required property var instanceId
                    highlighted: ListView.isCurrentItem
                    onClicked: ListView.view.currentIndex = index
                }
            }
            ScrollView {
                SplitView.preferredWidth: 640
                TextArea { id: explanation; readOnly: true; wrapMode: TextArea.Wrap }
            }
        }
        TimelineItem { SplitView.preferredHeight: 120; source: supervisor; span: 15000 }
        ListView {
            SplitView.fillHeight: true
            clip: true
            model: events
            onCountChanged: Qt.callLater(positionViewAtEnd)
            delegate: Label {
                text: "%1  %2: %3".arg(Qt.formatTime(time, "hh:mm:ss.zzz")).arg(agent).arg(eventText)
                font.bold: severity === AgentEvent.Severity.Error
            }
        }
    }
}
