import Foundation

/// Ports on 127.0.0.1.
enum LoopbackPort {
    /// The port itself when nothing listens on it, else a free one.
    static func pick(_ wanted: Int) -> Int {
        bound(UInt16(clamping: wanted)) ?? bound(0) ?? wanted
    }

    /// The port that a listener gets which asks for this one; `nil` when it is taken.
    private static func bound(_ port: UInt16) -> Int? {
        #if canImport(Glibc)
            let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let listener = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard listener >= 0 else { return nil }
        defer { close(listener) }
        // A server that stopped a moment ago must not make its port look taken.
        var reuse: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                guard bind(listener, generic, length) == 0, listen(listener, 1) == 0,
                    getsockname(listener, generic, &length) == 0
                else { return false }
                return true
            }
        } ? Int(UInt16(bigEndian: address.sin_port)) : nil
    }
}
