import Foundation

/// A socket on which this process listened, until the system broke it.
enum BrokenListener {
    /// Shuts down the listening socket of a port; connections stay open (Linux).
    static func make(port: Int) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
            Int32($0)
        }
        guard let socket = names.first(where: { isListening($0, port) }),
            shutdown(socket, Int32(SHUT_RDWR)) == 0
        else { throw TestFailure("Nothing listens on port \(port).") }
    }

    private static func isListening(_ socket: Int32, _ port: Int) -> Bool {
        var (isListening, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        guard getsockopt(socket, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &size) == 0, isListening == 1 else {
            return false
        }
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
        }
        return result == 0 && Int(UInt16(bigEndian: address.sin_port)) == port
    }
}
