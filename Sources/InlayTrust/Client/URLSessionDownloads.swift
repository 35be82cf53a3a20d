import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Passes on what the system says about each download.
final class URLSessionDownloads: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    typealias Finish = @Sendable (Result<Void, any Error>) -> Void

    private struct Exchange {
        let receive: @Sendable (Data) throws -> Void
        let finish: Finish
        var failure: (any Error)?
    }

    // `@unchecked`: `exchanges` is only touched between `lock` and `unlock`.
    private let lock = NSLock()
    private var exchanges: [Int: Exchange] = [:]

    func begin(
        _ task: URLSessionTask, _ receive: @escaping @Sendable (Data) throws -> Void,
        _ finish: @escaping Finish
    ) {
        locked { $0[task.taskIdentifier] = Exchange(receive: receive, finish: finish) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        fail(task, TrustFetchError.unreachable("the server redirects"))
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        switch (response as? HTTPURLResponse)?.statusCode {
        case 200: return completionHandler(.allow)
        // Storage services answer 403 for files that are not there.
        case 403, 404, 410: fail(dataTask, TrustFetchError.notFound)
        case let status: fail(dataTask, TrustFetchError.unreachable("HTTP \(status ?? 0)"))
        }
        completionHandler(.cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        // Called on the session's serial queue, which waits here: that is the whole buffer.
        let exchange = locked { $0[dataTask.taskIdentifier] }
        guard let exchange, exchange.failure == nil else { return }
        do {
            try exchange.receive(data)
        } catch {
            fail(dataTask, error)
            dataTask.cancel()
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let exchange = locked({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        if let failure = exchange.failure {
            exchange.finish(.failure(failure))
        } else if let error {
            let isCancelled = (error as? URLError)?.code == .cancelled
            exchange.finish(
                .failure(isCancelled ? CancellationError() : TrustFetchError.unreachable("\(error)")))
        } else {
            exchange.finish(.success(()))
        }
    }

    private func fail(_ task: URLSessionTask, _ error: any Error) {
        locked { if $0[task.taskIdentifier]?.failure == nil { $0[task.taskIdentifier]?.failure = error } }
    }

    private func locked<Result>(_ body: (inout [Int: Exchange]) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&exchanges)
    }
}
