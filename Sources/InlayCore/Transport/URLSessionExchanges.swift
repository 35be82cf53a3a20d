import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The delegate of a `URLSession`, with the state of each task until its caller has the result.
final class URLSessionExchanges: NSObject, URLSessionDataDelegate, Sendable {
    typealias Finish = @Sendable (Result<TransportResponse, TransportError>) -> Void

    private struct Exchange {
        let request: TransportRequest
        let finish: Finish
        var body = Data()
        var failure: TransportError?
    }

    private let exchanges = Locked<[Int: Exchange]>([:])

    func begin(_ task: URLSessionTask, _ request: TransportRequest, _ finish: @escaping Finish) {
        exchanges.withLock { $0[task.taskIdentifier] = Exchange(request: request, finish: finish) }
    }

    /// Cancels a task whose exchange has begun: the end of any other task would find no exchange.
    func cancel(_ task: URLSessionTask) {
        if exchanges.withLock({ $0[task.taskIdentifier] != nil }) { task.cancel() }
    }

    /// Ends an exchange with an answer that is not the whole body, for example an upgrade.
    func succeed(_ task: URLSessionTask, _ response: TransportResponse) {
        let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        exchange?.finish(.success(response))
    }

    /// Stores the reason why a task is about to be cancelled.
    func fail(_ task: URLSessionTask, _ error: TransportError) {
        exchanges.withLock { $0[task.taskIdentifier]?.failure = error }
    }

    /// Returns the pins that the task's connection must match.
    func pins(_ task: URLSessionTask) -> Set<CertificatePin>? {
        exchanges.withLock { $0[task.taskIdentifier]?.request.pins }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // Without a new request the redirect itself is the answer.
        completionHandler(Self.isSameOrigin(task.originalRequest?.url, request.url) ? request : nil)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let limit = exchanges.withLock { $0[dataTask.taskIdentifier]?.request.maximumResponseBytes } ?? 0
        guard response.expectedContentLength <= Int64(limit) else {
            fail(dataTask, .tooLarge)
            return completionHandler(.cancel)
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLarge = exchanges.withLock { exchanges in
            guard var exchange = exchanges.removeValue(forKey: dataTask.taskIdentifier) else { return false }
            exchange.body.append(data)
            if exchange.body.count > exchange.request.maximumResponseBytes {
                (exchange.failure, exchange.body) = (.tooLarge, Data())
            }
            exchanges[dataTask.taskIdentifier] = exchange
            return exchange.failure == .tooLarge
        }
        if isTooLarge { dataTask.cancel() }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let exchange = exchanges.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else {
            return
        }
        #if canImport(Darwin)
            // The server answered the upgrade with something else.
            if task is URLSessionWebSocketTask, let refusal = task.response as? HTTPURLResponse,
                exchange.failure == nil
            {
                return exchange.finish(.failure(.upgradeRefused(status: refusal.statusCode)))
            }
        #endif
        exchange.finish(Self.result(exchange.body, task.response, exchange.failure, error))
    }

    private static func result(
        _ body: Data, _ response: URLResponse?, _ failure: TransportError?, _ error: (any Error)?
    ) -> Result<TransportResponse, TransportError> {
        if let failure { return .failure(failure) }
        if let error { return .failure(URLSessionFailure.translated(error)) }
        guard let response = response as? HTTPURLResponse else { return .failure(.cut("no HTTP answer")) }
        let fields = response.allHeaderFields.compactMap { field -> (String, String)? in
            guard let name = field.key as? String, let value = field.value as? String else { return nil }
            return (name, value)
        }
        let headers = Dictionary(fields) { _, last in last }
        return .success(TransportResponse(status: response.statusCode, headers: headers, body: body))
    }

    private static func isSameOrigin(_ left: URL?, _ right: URL?) -> Bool {
        guard let left, let right else { return false }
        return left.scheme?.lowercased() == right.scheme?.lowercased()
            && left.host?.lowercased() == right.host?.lowercased() && left.port == right.port
    }
}
