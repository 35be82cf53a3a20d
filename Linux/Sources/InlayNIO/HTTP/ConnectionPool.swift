import AsyncHTTPClient
import Foundation
import InlayCore
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

/// A pool of shared connections for requests without certificate pins.
final class ConnectionPool: Sendable {
    private let client: HTTPClient
    private let loop: any EventLoop

    init(group: any EventLoopGroup, trust: TrustRoots) {
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: trust.tlsConfiguration, redirectConfiguration: .disallow,
            decompression: .disabled)
        // The caller has its own rules for retries and needs the error without delay.
        configuration.connectionPool.retryConnectionEstablishment = false
        client = HTTPClient(eventLoopGroupProvider: .shared(group), configuration: configuration)
        loop = group.next()
    }

    deinit {
        // Closes idle connections only: a running request retains its transport, and the transport this pool.
        client.shutdown(queue: .global()) { _ in }
    }

    /// Sends a request and returns the whole response.
    func send(
        _ request: TransportRequest, to address: ServerAddress
    ) async throws(TransportError) -> TransportResponse {
        let timeout = TimeAmount(request.timeout)
        do {
            return try await withThrowingTaskGroup(of: TransportResponse.self) { group in
                // The client's own deadline covers only the response head; this time-out also covers the body.
                let timeoutTask = loop.scheduleTask(in: timeout) { () throws -> TransportResponse in
                    throw TransportError.timedOut
                }
                defer {
                    timeoutTask.cancel()
                    group.cancelAll()
                }
                group.addTask { try await self.exchange(request, at: address, deadline: .now() + timeout) }
                group.addTask { try await timeoutTask.futureResult.get() }
                guard let first = try await group.next() else { throw TransportError.cancelled }
                return first
            }
        } catch {
            throw Task.isCancelled ? .cancelled : TransportError(error)
        }
    }

    private func exchange(
        _ request: TransportRequest, at address: ServerAddress, deadline: NIODeadline
    ) async throws -> TransportResponse {
        var message = HTTPClientRequest(url: address.httpAddress)
        message.method = HTTPMethod(rawValue: request.method)
        message.headers = request.wireHeaders
        if let body = request.body { message.body = .bytes(ByteBuffer(data: body)) }
        let answer = try await client.execute(message, deadline: deadline)
        var body = Data()
        for try await part in answer.body {
            guard body.count + part.readableBytes <= request.maximumResponseBytes else {
                throw TransportError.tooLarge
            }
            body.append(contentsOf: part.readableBytesView)
        }
        return TransportResponse(
            status: Int(answer.status.code), headers: answer.headers.joined, body: body)
    }
}
