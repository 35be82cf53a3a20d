public import Foundation
internal import InlayCore

/// A request delegate's decision about one connection.
public final class AACRequestDisposition: NSObject, Sendable {
    let disposition: RequestDisposition

    private init(_ disposition: RequestDisposition) { self.disposition = disposition }

    /// The request may proceed.
    public static func allow() -> AACRequestDisposition { AACRequestDisposition(.allow) }

    /// The request is cancelled before a connection is opened.
    public static func deny() -> AACRequestDisposition { AACRequestDisposition(.deny) }

    /// The request may proceed when any certificate of the chain matches any of the pins.
    ///
    /// The request is denied when its address is not https, for the WebSocket, and with an empty set.
    public static func allow(with pins: Set<AACCertificatePin>) -> AACRequestDisposition {
        AACRequestDisposition(.allowWithPins(Set(pins.compactMap(\.pin))))
    }
}
