internal import Foundation
internal import InlayHub
internal import InlayPlatform

extension ZBiMRuntime {
    /// Passes the hub's log and events to the app until the session ends.
    func follow(_ hub: Hub, _ log: HubLog) {
        let own = hub.log
        (own.severity, own.verbosity) = (.info, .info)
        // The hub's log passes everything; `log`, which also has the lines from before the session, applies the app's
        // levels.
        own.setSink { log.write($0.severity, $0.verbosity, $0.text) }
        let (events, generation) = (hub.events, read(\.generation))
        // Ends with the hub's events, at the end of the session.
        Task { @MainActor [weak self] in
            for await event in events {
                guard let self, self.read({ $0.generation }) == generation else { return }
                self.publish(event)
            }
        }
    }

    @MainActor private func publish(_ event: HubEvent) {
        switch event {
        case .downloadingChanged(let value):
            post(.ZBiMDownloadingContentStateChanged) { $0.isDownloading = value }
        case .displayingChanged(let value):
            post(.ZBiMDisplayingContentHubStateChanged) { $0.isDisplaying = value }
        case .readyChanged(let value): post(.ZBiMReadyStateChanged) { $0.isReady = value }
        case .disabledChanged(let value): post(.ZBiMDisabledStateChanged) { $0.isDisabled = value }
        case .progress(let percent): post(.ZBiMDBDownloadProgressChanged, ["progress": Float(percent)])
        case .contentChanged(let item):
            post(
                .ZBiMContentTypeChanged,
                [
                    ZBiMResourceType: item.kind.rawValue, ZBiMResourceURL: item.uri,
                    ZBiMResourceTitle: item.title,
                ])
        case .appLink(let address), .openExternal(let address): read(\.services).open(address)
        case .closeRequested(let presentation): ZBiMContentHub.hub(of: presentation)?.closeRequested()
        case .activated, .freshnessChanged, .updateFailed: break
        }
    }

    @MainActor private func post(_ name: Notification.Name, _ change: (inout Flags) -> Void) {
        self.change { change(&$0.flags) }
        NotificationCenter.default.post(name: name, object: nil)
    }

    @MainActor private func post(_ name: Notification.Name, _ info: [String: any Sendable]) {
        NotificationCenter.default.post(name: name, object: nil, userInfo: info)
    }
}
