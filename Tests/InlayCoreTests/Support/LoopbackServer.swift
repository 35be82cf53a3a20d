import Foundation

@_spi(Inlay) @testable import InlayCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A real HTTP server on a loopback port, just large enough for these tests.
final class LoopbackServer: Sendable {
    struct Request: Sendable {
        var head: String
        var body: Data

        var path: String { head.split(separator: " ").dropFirst().first.map(String.init) ?? "" }
    }

    enum Reply: Sendable {
        case answer(status: Int, headers: [String: String] = [:], body: Data = Data())
        /// Closes the connection without a response.
        case cut
        /// Sends exactly these bytes.
        case raw(Data)
        /// Keeps the connection open without a response until the server stops.
        case silence
    }

    // A peer that was killed must not kill the test with SIGPIPE.
    #if canImport(Glibc)
        private static let sendFlags = Int32(MSG_NOSIGNAL)
    #else
        private static let sendFlags = Int32(0)
    #endif

    let port: UInt16
    private let listener: Int32
    private let open = Locked<Set<Int32>>([])

    var url: URL { address("http://127.0.0.1:\(port)") }

    init(_ handler: @escaping @Sendable (Request) -> Reply) throws {
        #if canImport(Glibc)
            let stream = Int32(SOCK_STREAM.rawValue)
        #else
            let stream = SOCK_STREAM
        #endif
        let listener = socket(AF_INET, stream, 0)
        var socketAddress = sockaddr_in()
        socketAddress.sin_family = sa_family_t(AF_INET)
        socketAddress.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &socketAddress) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(listener, pointer, size) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, pointer, &size) == 0
            }
        }
        guard isBound else {
            close(listener)
            throw POSIXError(.EADDRINUSE)
        }
        port = UInt16(bigEndian: socketAddress.sin_port)
        // The thread ends when `deinit` shuts the listener down, and closes the listener itself. If another thread did,
        // the next server's listener could get the same descriptor while this thread still accepts from it.
        self.listener = listener
        let open = open
        Thread.detachNewThread { Self.acceptAll(listener, open, handler) }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        open.withLock { $0 }.forEach { shutdown($0, Int32(SHUT_RDWR)) }
    }

    private static func acceptAll(
        _ listener: Int32, _ open: Locked<Set<Int32>>, _ handler: @escaping @Sendable (Request) -> Reply
    ) {
        defer { close(listener) }
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { return }
            open.withLock { _ = $0.insert(connection) }
            Thread.detachNewThread {
                serve(connection, handler)
                open.withLock { _ = $0.remove(connection) }
                close(connection)
            }
        }
    }

    private static func serve(_ connection: Int32, _ handler: (Request) -> Reply) {
        guard let request = read(connection) else { return }
        switch handler(request) {
        case .cut: break
        case .raw(let bytes): write(connection, bytes)
        case .silence: _ = receive(connection)
        case .answer(let status, let headers, let body):
            var head = "HTTP/1.1 \(status) Status\r\nContent-Length: \(body.count)\r\nConnection: close\r\n"
            for (name, value) in headers { head += "\(name): \(value)\r\n" }
            write(connection, Data((head + "\r\n").utf8) + body)
        }
    }

    private static func read(_ connection: Int32) -> Request? {
        var bytes = Data()
        let end = Data("\r\n\r\n".utf8)
        while true {
            if let range = bytes.range(of: end) {
                let head = String(decoding: bytes[..<range.lowerBound], as: UTF8.self)
                let body = bytes[range.upperBound...]
                if body.count >= length(head) { return Request(head: head, body: Data(body)) }
            }
            guard let more = receive(connection) else { return nil }
            bytes += more
        }
    }

    private static func length(_ head: String) -> Int {
        for line in head.split(separator: "\r\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "content-length" else { continue }
            return Int(parts[1].trimmingCharacters(in: .whitespaces)) ?? 0
        }
        return 0
    }

    private static func receive(_ connection: Int32) -> Data? {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = recv(connection, &buffer, buffer.count, 0)
        return count > 0 ? Data(buffer[..<count]) : nil
    }

    private static func write(_ connection: Int32, _ bytes: Data) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Self.sendFlags) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
