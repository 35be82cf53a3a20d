import Foundation
import NIOCore
import NIOPosix

/// Free ports for servers that cannot choose a port themselves.
enum FreePort {
    /// Returns a loopback port that is free now.
    static func find() throws -> Int {
        let channel = try ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).wait()
        defer { try? channel.close().wait() }
        guard let port = channel.localAddress?.port else { throw BenchError("No free port.") }
        return port
    }

    /// Returns when a process listens on the port; throws after ten seconds.
    static func waitUntilTaken(_ port: Int) async throws {
        for _ in 0..<200 {
            let attempt = try? await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: port).get()
            if let attempt {
                try? await attempt.close()
                return
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw BenchError("Nothing listens on port \(port) after ten seconds.")
    }
}
