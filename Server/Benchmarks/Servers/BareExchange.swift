import ArgumentParser
import AsyncHTTPClient
import Foundation
import Hummingbird
import InlayCardsServer
import InlayServerCore
import NIOConcurrencyHelpers
import NIOCore

/// The baseline for auctions: the same framework and HTTP client without an exchange.
///
/// It calls all bidders concurrently, writes the longest response to a file, and responds with it after the sync.
struct BareExchange: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "bare-exchange", shouldDisplay: false)

    /// The path of the file that stores the responses; an existing file is overwritten.
    @Option var file: String
    @Option var bidder: [String] = []

    func run() async throws {
        let disk = try BareDisk(path: file)
        var connections = HTTPClient.Configuration()
        // The same limit as the exchange's: with the default of eight connections, requests would wait for each other.
        connections.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: connections)
        let router = Router()
        router.post("ads/request") { request, _ in
            let body = try await request.body.collect(upTo: 1 << 20)
            let answers = try await withThrowingTaskGroup { group in
                // Ends with the bidder's response or after a second.
                for url in bidder { group.addTask { try await Self.bid(url, body, client) } }
                return try await group.reduce(into: [ByteBuffer]()) { $0.append($1) }
            }
            let best = answers.max { $0.readableBytes < $1.readableBytes } ?? ByteBuffer()
            try await disk.keep(Array(best.readableBytesView))
            return Response(status: .ok, body: .init(byteBuffer: best))
        }
        try await BareServer.run(router, label: "bare-exchange")
        try await client.shutdown()
    }

    private static func bid(_ url: String, _ body: ByteBuffer, _ client: HTTPClient) async throws
        -> ByteBuffer
    {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.body = .bytes(body)
        return try await client.execute(request, timeout: .seconds(1)).body.collect(upTo: 1 << 20)
    }
}

/// A file of a fixed size that is overwritten cyclically and synced after each write: the minimum cost of a log.
private final class BareDisk: Sendable {
    private static let size = 4 << 20
    private static let slot = 4_096

    private let descriptor: Int32
    private let queue = DispatchQueue(label: "bare-disk")
    private let next = NIOLockedValueBox(0)

    init(path: String) throws {
        try Data(count: Self.size).write(to: URL(fileURLWithPath: path))
        descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw BenchError("\(path) cannot be opened.") }
    }

    deinit { close(descriptor) }

    func keep(_ bytes: [UInt8]) async throws {
        try await withCheckedThrowingContinuation { caller in
            queue.async { caller.resume(with: Result { try self.write(bytes) }) }
        }
    }

    private func write(_ bytes: [UInt8]) throws {
        let offset = next.withLockedValue { next in
            defer { next = (next + Self.slot) % Self.size }
            return next
        }
        let count = min(bytes.count, Self.slot)
        guard pwrite(descriptor, bytes, count, off_t(offset)) == count, fdatasync(descriptor) == 0 else {
            throw BenchError("The disk took no answer.")
        }
    }
}
