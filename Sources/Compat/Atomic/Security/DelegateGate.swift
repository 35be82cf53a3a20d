import Foundation
internal import InlayCore

/// Asks the app's request delegate on behalf of the engine.
///
/// Holds no delegate of its own: `AACSession.setRequestDelegate` takes effect with the next request.
struct DelegateGate: RequestGate {
    let delegate: @Sendable () -> (any AACRequestDelegate)?

    func disposition(for url: URL) -> RequestDisposition {
        guard let delegate = delegate() else { return .allow }
        let disposition = delegate.disposition(forAtomicRequest: url).disposition
        guard case .allowWithPins = disposition else { return disposition }
        // The document denies pins on the WebSocket; the SDK then polls over pinned https instead.
        return url.scheme?.lowercased() == "https" ? disposition : .deny
    }
}
