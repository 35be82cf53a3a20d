public import Foundation

#if canImport(UIKit)
    public import UIKit
#endif

/// EngageSDK's application object: it starts the SDK and reports when the app becomes active or inactive.
///
/// Use it as it is, or subclass it; a method that you override must call `super`. The credentials are the
/// entries ENGAGE_CLIENT_ID, ENGAGE_CLIENT_SECRET_META, ENGAGE_REFRESH_TOKEN and ENGAGE_HOST of Info.plist.
@MainActor open class EngageApplication: NSObject {
    private var isWatching = false

    /// The reason why the SDK did not start; `nil` when it did.
    public var startError: EngageConfigException? { EngageRuntime.shared.startError }

    /// An application that has not started yet.
    public override nonisolated init() { super.init() }

    /// The app was launched: both managers exist afterwards, unless an entry is missing.
    ///
    /// On iOS the coming and going of the app is observed from here on.
    open func onCreate() {
        do throws(EngageConfigException) {
            EngageRuntime.shared.start(try EngageCredentials(info: EngageRuntime.shared.services.info))
            observe()
        } catch {
            EngageRuntime.shared.failed(error)
            onConfigurationError(error)
        }
    }

    /// The SDK did not start, and nothing will be sent. Does nothing by itself.
    open func onConfigurationError(_ error: EngageConfigException) {}

    /// The app came to the front.
    open func onForeground() { EngageRuntime.shared.perform { try? await $0.behaviors.appBecameActive() } }

    /// The app went to the background; what is ready is sent.
    open func onBackground() { EngageRuntime.shared.perform { try? await $0.behaviors.appWasLeft() } }

    private func observe() {
        #if canImport(UIKit)
            guard !isWatching else { return }
            isWatching = true
            let center = NotificationCenter.default
            // The application lives as long as the process, and so do its observers.
            _ = center.addObserver(
                forName: UIApplication.didBecomeActiveNotification, object: nil, queue: .main
            ) { [weak self] _ in MainActor.assumeIsolated { self?.onForeground() } }
            _ = center.addObserver(
                forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: .main
            ) { [weak self] _ in MainActor.assumeIsolated { self?.onBackground() } }
        #endif
    }
}
