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
                    let message: URLSessionWebSocketTask.Message
                    do { message = try await task.receive() } catch {
                        // Receiving fails after a close too, which is the end of the messages and no error.
                        // The type's name, because `Self` would capture the socket, which is not initialised yet.
                        guard URLSessionSocket.isClose(task.closeCode) else { throw error }
                        return nil
                    }
                    switch message {
                    case .string(let text): return text
                    case .data: continue
                    @unknown default: continue
                    }
                }
            }
        }

        /// Whether this code was in a close frame: the others stand for an open socket or a broken connection.
        private static func isClose(_ code: URLSessionWebSocketTask.CloseCode) -> Bool {
            ![.invalid, .abnormalClosure, .tlsHandshakeFailure].contains(code)
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
