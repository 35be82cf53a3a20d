import Foundation
import InlayCardsServer
import NIOConcurrencyHelpers

/// A port on 127.0.0.1 that no other process can take until it is released.
///
/// It makes an address known before its server listens. Without it, two demos that start together could choose the same
/// port, and the second would fail to listen.
final class LoopbackPort: Sendable {
    let number: Int
    private let listener: NIOLockedValueBox<Int32?>

    private init(_ listener: Int32, _ number: Int) {
        self.number = number
        self.listener = NIOLockedValueBox(listener)
    }

    deinit { release() }

    /// Reserves the wanted port, or a free one when it is in use. Throws when there is none.
    static func reserve(_ wanted: Int) throws -> LoopbackPort {
        guard let port = listening(UInt16(clamping: wanted)) ?? listening(0) else {
            throw POSIXError(.EADDRNOTAVAIL)
        }
        return port
    }

    /// Releases the port for a server of this process, which should listen on it at once; returns its number.
    @discardableResult
    func release() -> Int {
        listener.withLockedValue { listener in
            if let listener { close(listener) }
            listener = nil
        }
        return number
    }

    /// Returns a listener on this port; `nil` when it is in use.
    private static func listening(_ port: UInt16) -> LoopbackPort? {
        #if canImport(Glibc)
            let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let listener = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard listener >= 0 else { return nil }
        _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
        // The port of a server that has just stopped must be available.
        var reuse: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(listener, generic, length) == 0 && listen(listener, 1) == 0
                    && getsockname(listener, generic, &length) == 0
            }
        }
        guard isListening else {
            close(listener)
            return nil
        }
        return LoopbackPort(listener, Int(UInt16(bigEndian: address.sin_port)))
    }
}
