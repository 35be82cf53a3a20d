package import Foundation
@_spi(Inlay) package import InlayCore
@_spi(Inlay) package import InlayHub
package import InlayPlatform
@_spi(Inlay) import InlayWire

/// The clock, transport and folder that the facade uses; tests replace them.
package struct ZBiMServices: Sendable {
    /// The folder of the app's resources.
    package var resources = Bundle.main.bundleURL
    /// The folder for the SDK's files.
    package var folder: URL?
    package var transport: (any Transport)?
    package var clock: any SessionClock = SystemClock()
    /// Returns the URL schemes that the app's Info.plist declares.
    package var schemes: @Sendable () -> [String] = {
        let types = Bundle.main.object(forInfoDictionaryKey: "CFBundleURLTypes") as? [[String: Any]] ?? []
        return types.flatMap { $0["CFBundleURLSchemes"] as? [String] ?? [] }
    }
    /// The system's advertising identifier; `nil` where there is none.
    package var advertising: (any HubAdvertisingIdentifier)?
    /// Opens an address outside the hub.
    package var open: @MainActor @Sendable (String) -> Void = { ZBiMSystem.open($0) }
    /// Asks the user whether to perform a notification's action.
    package var ask: @MainActor @Sendable (String) async -> Bool = { await ZBiMSystem.ask($0) }
    /// Schedules a notification with the system.
    package var schedule: @MainActor @Sendable (UILocalNotification) -> Void = { ZBiMSystem.schedule($0) }
    /// Cancels the scheduled notifications of a hub notification's id.
    package var cancel: @MainActor @Sendable (String) -> Void = { ZBiMSystem.cancel($0) }

    package init() {}
}

/// The facade's use of the system. Without UIKit, its functions do nothing.
@MainActor enum ZBiMSystem {
    static func open(_ address: String) {
        #if os(iOS)
            if let url = WebAddress.link(address) { UIApplication.shared.open(url) }
        #endif
    }

    static func ask(_ message: String) async -> Bool {
        #if os(iOS)
            await topController()?.ask(title: nil, message: message, no: "Cancel", yes: "Open") ?? false
        #else
            false
        #endif
    }

    static func schedule(_ notification: UILocalNotification) {
        #if os(iOS)
            UIApplication.shared.scheduleLocalNotification(notification)
        #endif
    }

    static func cancel(_ id: String) {
        #if os(iOS)
            for notification in UIApplication.shared.scheduledLocalNotifications ?? []
            where notification.userInfo?[ZBiMScheduler.idKey] as? String == id {
                UIApplication.shared.cancelLocalNotification(notification)
            }
        #endif
    }

    #if os(iOS)
        /// Returns the topmost controller of the key window, which presents the question.
        static func topController() -> UIViewController? {
            let scenes = UIApplication.shared.connectedScenes.compactMap { $0 as? UIWindowScene }
            var top = scenes.flatMap(\.windows).first(where: \.isKeyWindow)?.rootViewController
            while let next = top?.presentedViewController { top = next }
            return top
        }
    #endif
}
