public import Foundation

#if canImport(UIKit)
    public import UIKit
#endif

/// EngageSDK's application object: it starts the SDK and reports when the app becomes active or inactive.
///
/// Use it as it is, or subclass it; a method that you override must call `super`. The credentials are the
/// entries ENGAGE_CLIENT_ID, ENGAGE_CLIENT_SECRET_META, ENGAGE_REFRESH_TOKEN and ENGAGE_HOST of Info.plist.
@MainActor open class EngageApplication: NSObject {
    private var isObserving = false

    /// The reason why the SDK did not start; `nil` when it has started.
    public var startError: EngageConfigException? { EngageRuntime.shared.startError }

    /// Creates an application that has not started the SDK yet.
    public override nonisolated init() { super.init() }

    /// Starts the SDK after the app's launch. Both managers exist afterwards, unless an entry is missing.
    ///
    /// On iOS, it also begins to observe when the app becomes active and when it enters the background.
    open func onCreate() {
        do throws(EngageConfigException) {
            EngageRuntime.shared.start(try EngageCredentials(info: EngageRuntime.shared.services.info))
            observe()
        } catch {
            EngageRuntime.shared.failed(error)
            onConfigurationError(error)
        }
    }

    /// Called when the SDK did not start, so that nothing will be sent. The default implementation does nothing.
    open func onConfigurationError(_ error: EngageConfigException) {}

    /// Reports that the app became active.
    open func onForeground() { EngageRuntime.shared.perform { try? await $0.behaviors.appBecameActive() } }

    /// Reports that the app entered the background, and sends the events that are ready.
    open func onBackground() { EngageRuntime.shared.perform { try? await $0.behaviors.appWasLeft() } }

    private func observe() {
        #if canImport(UIKit)
            guard !isObserving else { return }
            isObserving = true
            let center = NotificationCenter.default
            // The observers are never removed, because the application lives as long as the process.
            _ = center.addObserver(
                forName: UIApplication.didBecomeActiveNotification, object: nil, queue: .main
            ) { [weak self] _ in MainActor.assumeIsolated { self?.onForeground() } }
            _ = center.addObserver(
                forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: .main
            ) { [weak self] _ in MainActor.assumeIsolated { self?.onBackground() } }
        #endif
    }
}
