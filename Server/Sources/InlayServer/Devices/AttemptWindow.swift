import Hummingbird
import InlayWire
import NIOConcurrencyHelpers

/// Slows down one address that asks again and again: so many requests of a kind in 15 minutes.
///
/// It never knows accounts, so it answers alike for every one of them. Kept in memory: a restart forgets it,
/// which costs a guesser more than it gives.
final class AttemptWindow: Sendable {
    /// What is counted, each on its own.
    enum Kind: String, CaseIterable, Sendable {
        case create, logIn, code, guess, guessWide, reset, refresh, claim, recover, offer

        /// How many an address may send in the window. Many phones may share one address.
        var most: Int {
            switch self {
            // Codes for one address of the mail; of a whole IPv6 /48, which one customer may have to themselves.
            case .guess: 20
            case .guessWide: 100
            case .reset, .recover, .offer: 60
            case .create, .logIn, .code: 300
            case .refresh, .claim: 1200
            }
        }
    }

    private static let length: Duration = .seconds(900)
    static let mostNames = 50_000
    private let now: @Sendable () -> Timestamp
    private let windows = NIOLockedValueBox(
        WindowCounts<String>(length: AttemptWindow.length, maximumNames: AttemptWindow.mostNames))

    init(now: @escaping @Sendable () -> Timestamp) { self.now = now }

    /// Counts a code that is tried for one address of an application's environment, which need not be one.
    func spendGuess(from address: String, about email: String, of application: DeviceApplication) throws {
        let whom = MailAddress(email)?.text ?? ""
        let about = Secret.hash("\(application.environmentID)\n\(whom)")
        // The narrow one first: a network that has used up its own takes no more from its neighbours.
        try spend(.guess, by: CallerNetwork.name(of: address), about)
        if let wide = CallerNetwork.wide(of: address) { try spend(.guessWide, by: wide, about) }
    }

    /// Counts a request; throws the 429 with its `Retry-After` once there were too many.
    func spend(_ kind: Kind, from address: String) throws {
        try spend(kind, by: CallerNetwork.name(of: address), "")
    }

    private func spend(_ kind: Kind, by network: String, _ about: String) throws {
        let moment = now(), name = "\(kind.rawValue) \(network) \(about)"
        let left = windows.withLockedValue { windows -> Duration? in
            let count = windows.add(name, at: moment)
            return count > kind.most ? windows.remaining(of: name, at: moment) : nil
        }
        guard let left else { return }
        throw Refusal.waiting(left)
    }
}

extension Refusal {
    /// 429 with the seconds to wait.
    static func waiting(_ left: Duration, _ problem: Problem = .rateLimited) -> Refusal {
        Refusal(problem, headers: [.retryAfter: String(max(1, Int(left.seconds.rounded(.up))))])
    }
}
