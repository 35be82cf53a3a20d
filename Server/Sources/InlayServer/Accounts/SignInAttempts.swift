import Hummingbird
import InlayWire
import NIOConcurrencyHelpers

/// Slows down whoever guesses passwords: wrong attempts of the last 15 minutes, by login and by address.
///
/// Kept in memory: a restart forgets them, which costs a guesser more time than it gives.
final class SignInAttempts: Sendable {
    private static let window: Duration = .seconds(900)
    private static let mostPerLogin = 5
    private static let mostPerAddress = 20
    private static let mostNames = 50_000

    private let now: @Sendable () -> Timestamp
    private let times = NIOLockedValueBox<[String: [Timestamp]]>([:])

    init(now: @escaping @Sendable () -> Timestamp) { self.now = now }

    /// Counts an attempt before the password is looked at, so that many at once do not slip through.
    func begin(login: String, address: String) throws {
        let moment = now()
        // The prefix keeps a login from counting as an address; its length is the caller's choice.
        let names = [
            ("l:" + login.lowercased().prefix(128), Self.mostPerLogin),
            ("a:" + CallerNetwork.name(of: address), Self.mostPerAddress),
        ]
        let wait = times.withLockedValue { times -> Duration? in
            if times.count >= Self.mostNames { times.removeAll() }
            for (name, most) in names {
                let recent = (times[name] ?? []).filter { moment - $0 < Self.window }
                times[name] = recent
                if recent.count >= most, let first = recent.first { return Self.window - (moment - first) }
            }
            for (name, _) in names { times[name, default: []].append(moment) }
            return nil
        }
        guard let wait else { return }
        throw Refusal(.rateLimited, headers: [.retryAfter: String(max(1, Int(wait.seconds.rounded(.up))))])
    }

    /// A right password clears its login, and leaves its address counted.
    func succeeded(login: String) {
        times.withLockedValue { _ = $0.removeValue(forKey: "l:" + login.lowercased().prefix(128)) }
    }
}
