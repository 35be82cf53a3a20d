import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The system's own networking: HTTP, pins and sockets on Apple platforms; HTTP alone on Linux.
///
/// Stores no cookies and no cache, and follows redirects only within the same origin.
public final class URLSessionTransport: Transport {
    private let delegate = URLSessionExchanges()
    let session: URLSession

    /// A transport with a connection pool of its own.
    public init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    deinit { session.invalidateAndCancel() }

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        #if !canImport(Darwin)
            guard request.pins == nil else { throw .unsupported("pins; use NIOTransport on Linux") }
        #endif
        return try await Self.limited(request.timeout) { await self.exchange(request) }.get()
    }

    public func openSocket(_ request: TransportRequest) async throws(TransportError) -> any TransportSocket {
        #if canImport(Darwin)
            return try await Self.limited(request.timeout) { await self.upgrade(request) }.get()
        #else
            throw .unsupported("WebSockets; use NIOTransport on Linux")
        #endif
    }

    private func exchange(_ request: TransportRequest) async -> Result<TransportResponse, TransportError> {
        let task = session.dataTask(with: Self.urlRequest(request))
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                delegate.begin(task, request) { continuation.resume(returning: $0) }
                task.resume()
                // The task may have been cancelled before the exchange began, when the handler found no exchange.
                if Task.isCancelled { task.cancel() }
            }
        } onCancel: {
            delegate.cancel(task)
        }
    }

    #if canImport(Darwin)
        private func upgrade(_ request: TransportRequest) async -> Result<any TransportSocket, TransportError>
        {
            var address = Self.urlRequest(request)
            address.url = GatedTransport.socketURL(request.url)
            let task = session.webSocketTask(with: address)
            task.maximumMessageSize = request.maximumResponseBytes
            return await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    delegate.begin(task, request) { result in
                        continuation.resume(returning: result.map { _ in URLSessionSocket(task) })
                    }
                    task.resume()
                    if Task.isCancelled { task.cancel() }
                }
            } onCancel: {
                delegate.cancel(task)
            }
        }
    #endif

    private static func urlRequest(_ request: TransportRequest) -> URLRequest {
        var made = URLRequest(url: request.url)
        made.httpMethod = request.method
        made.httpBody = request.body
        for (name, value) in request.headers { made.setValue(value, forHTTPHeaderField: name) }
        return made
    }

    // The system's own time-out restarts with every byte; a server that drips would never end.
    private static func limited<Value: Sendable>(
        _ limit: Duration, _ body: @escaping @Sendable () async -> Result<Value, TransportError>
    ) async -> Result<Value, TransportError> {
        await withTaskGroup(of: Result<Value, TransportError>.self) { group in
            group.addTask(operation: body)
            group.addTask {
                let isOver = (try? await Task.sleep(for: limit)) != nil
                return .failure(isOver ? .timedOut : .cancelled)
            }
            defer { group.cancelAll() }
            return await group.next() ?? .failure(.cancelled)
        }
    }
}
