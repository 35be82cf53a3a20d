import NIOCore
import NIOPosix

/// A TCP connection that sends any bytes, for requests that an HTTP client would never send.
enum RawConnection {
    /// Sends the lines of a request with a `Host` field for each host, and returns the first line of the response.
    static func firstLine(
        _ app: TestApp, _ lines: [String], hosts: [String] = ["127.0.0.1"], body: String = ""
    ) async throws -> String {
        let text = (lines + hosts.map { "Host: \($0)" } + ["", body]).joined(separator: "\r\n")
        let port = app.port
        return try await within {
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                    }
                }
            return try await channel.executeThenClose { inbound, outbound in
                try await outbound.write(ByteBuffer(string: text))
                var answer = ""
                for try await bytes in inbound {
                    answer += String(buffer: bytes)
                    if answer.contains("\r\n") { break }
                }
                return String(answer.prefix { $0 != "\r\n" })
            }
        }
    }

    /// Sends a text and hangs up without reading an answer.
    static func hangUp(_ app: TestApp, after text: String) async throws {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: app.port).get()
        try await channel.writeAndFlush(ByteBuffer(string: text))
        try await channel.close()
    }
}
