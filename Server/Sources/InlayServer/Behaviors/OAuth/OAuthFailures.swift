import Hummingbird
import InlayWire
import NIOConcurrencyHelpers

/// Slows down whoever guesses OAuth credentials: wrong tries of the last 15 minutes, by client and address
/// together and by address alone. A right client from elsewhere is never held up by them.
final class OAuthFailures: Sendable {
    private static let window: Duration = .seconds(900)
    private static let mostPerClient = 10
    private static let mostPerAddress = 100
    private static let mostNames = 50_000

    private struct Window {
        var count = 0
        var began: Timestamp
    }

    private let now: @Sendable () -> Timestamp
    private let windows = NIOLockedValueBox<[String: Window]>([:])

    init(now: @escaping @Sendable () -> Timestamp) { self.now = now }

    /// Throws the 429 with its `Retry-After` once there were too many.
    func check(client: String, address: String) throws {
        let moment = now()
        let wait = windows.withLockedValue { windows -> Duration? in
            for (name, most) in Self.names(client, address) {
                guard let window = windows[name], window.count >= most else { continue }
                let left = Self.window - (moment - window.began)
                if left > .zero { return left }
            }
            return nil
        }
        guard let wait else { return }
        throw Refusal(.rateLimited, headers: [.retryAfter: String(max(1, Int(wait.seconds.rounded(.up))))])
    }

    /// Counts a wrong try.
    func failed(client: String, address: String) {
        let moment = now()
        windows.withLockedValue { windows in
            if windows.count >= Self.mostNames { windows.removeAll() }
            for (name, _) in Self.names(client, address) {
                var window = windows[name] ?? Window(began: moment)
                if moment - window.began >= Self.window { window = Window(began: moment) }
                window.count += 1
                windows[name] = window
            }
        }
    }

    private static func names(_ client: String, _ address: String) -> [(String, Int)] {
        [("c:\(client.prefix(64)) \(address)", mostPerClient), ("a:\(address)", mostPerAddress)]
    }
}
