import Hummingbird
import InlayServerCore
@_spi(Inlay) import InlayWire
import NIOConcurrencyHelpers

/// Slows down whoever guesses OAuth credentials: wrong tries of the last 15 minutes, by client and address
/// together and by address alone. A right client from elsewhere is never held up by them.
final class OAuthFailures: Sendable {
    private static let maximumPerClient = 10
    private static let maximumPerAddress = 100

    private let now: @Sendable () -> Timestamp
    private let windows = NIOLockedValueBox(
        WindowCounts<String>(length: AttemptWindow.length, maximumNames: AttemptWindow.maximumNames))

    init(now: @escaping @Sendable () -> Timestamp) { self.now = now }

    /// Throws the 429 with its `Retry-After` once there were too many.
    func check(client: OAuthClientID, address: String) throws {
        let moment = now()
        let wait = windows.withLockedValue { windows -> Duration? in
            Self.names(client, address).first { windows.count(of: $0.0, at: moment) >= $0.1 }
                .map { windows.remaining(of: $0.0, at: moment) }
        }
        guard let wait else { return }
        throw Refusal(.rateLimited, headers: [.retryAfter: String(max(1, Int(wait.seconds.rounded(.up))))])
    }

    /// Counts a wrong try.
    func failed(client: OAuthClientID, address: String) {
        let moment = now()
        windows.withLockedValue { windows in
            for (name, _) in Self.names(client, address) { windows.add(name, at: moment) }
        }
    }

    private static func names(_ client: OAuthClientID, _ address: String) -> [(String, Int)] {
        let network = CallerNetwork.name(of: address)
        return [
            ("c:\(client.rawValue.prefix(64)) \(network)", maximumPerClient),
            ("a:\(network)", maximumPerAddress),
        ]
    }
}
