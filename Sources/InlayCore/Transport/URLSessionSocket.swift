#if canImport(Darwin)
    import Foundation

    /// A WebSocket of `URLSession`.
    final class URLSessionSocket: TransportSocket {
        let messages: AsyncThrowingStream<String, any Error>
        private let task: URLSessionWebSocketTask

        init(_ task: URLSessionWebSocketTask) {
            self.task = task
            // Receives a message each time the stream's consumer requests one; ends with the connection.
            messages = AsyncThrowingStream {
                while true {
                    switch try await task.receive() {
                    case .string(let text): return text
                    case .data: continue
                    @unknown default: continue
                    }
                }
            }
        }

        func send(_ text: String) async throws(TransportError) {
            do { try await task.send(.string(text)) } catch { throw URLSessionFailure.translated(error) }
        }

        func close() async { task.cancel(with: .normalClosure, reason: nil) }
    }

    extension URLSessionExchanges: URLSessionWebSocketDelegate {
        func urlSession(
            _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
            didOpenWithProtocol protocol: String?
        ) {
            succeed(webSocketTask, TransportResponse(status: 101))
        }
    }
#endif
