// Parts of Apple's Foundation that Foundation on Linux has elsewhere or lacks.
@_exported import Foundation
@_exported import FoundationNetworking

extension Bundle {
    /// The package manager generates this property for each module with resources.
    public static var module: Bundle { .main }
}

extension NotificationCenter {
    public func notifications(named name: Notification.Name, object: AnyObject? = nil) -> AsyncStream<
        Notification
    > {
        AsyncStream { nil }
    }
}

extension URLSessionWebSocketDelegate {
    public func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
        didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
    ) {}
}
