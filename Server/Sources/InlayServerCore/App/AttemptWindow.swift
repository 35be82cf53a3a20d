import Hummingbird
@_spi(Inlay) package import InlayWire
import NIOConcurrencyHelpers

/// Slows down one address that asks again and again: so many requests of a kind in 15 minutes.
///
/// It never knows accounts, so it answers alike for every one of them. Kept in memory: a restart forgets it,
/// which costs a guesser more than it gives.
package final class AttemptWindow: Sendable {
    /// The kinds of attempts, each counted on its own.
    package enum Kind: String, CaseIterable, Sendable {
        case create, logIn, code, guess, guessWide, reset, refresh, claim, recover, offer, signIn, signInWide

        /// The maximum number of attempts of an address in the window. Many phones may share one address.
        var maximum: Int {
            switch self {
            // Codes for one address of the mail; of a whole IPv6 /48, which one customer may have to themselves.
            case .guess: 20
            case .guessWide: 100
            // Wrong passwords of operators, whatever the login; the second for an IPv6 /48.
            case .signIn: 20
            case .signInWide: 100
            case .reset, .recover, .offer: 60
            case .create, .logIn, .code: 300
            case .refresh, .claim: 1200
            }
        }
    }

    package static let length: Duration = .seconds(900)
    package static let maximumNames = 50_000
    private let now: @Sendable () -> Timestamp
    private let windows: NIOLockedValueBox<WindowCounts<String>>

    /// An empty window with counts of at most `maximumNames` callers, each by kind and by what is guessed.
    package init(
        maximumNames: Int = AttemptWindow.maximumNames, now: @escaping @Sendable () -> Timestamp
    ) {
        self.now = now
        windows = NIOLockedValueBox(WindowCounts(length: Self.length, maximumNames: maximumNames))
    }

    /// Counts a guess by its network and, for IPv6, by the /48 around it. `about` names what is guessed.
    package func spend(_ narrow: Kind, _ wide: Kind, from address: String, about: String = "") throws {
        // The narrow one first: a network that has used up its own takes no more from its neighbours.
        try spend(narrow, by: CallerNetwork.name(of: address), about)
        if let network = CallerNetwork.wide(of: address) { try spend(wide, by: network, about) }
    }

    /// Takes back what ``spend(_:_:from:about:)`` counted: the guess was right.
    func refund(_ narrow: Kind, _ wide: Kind, from address: String, about: String = "") {
        var names = [Self.name(narrow, CallerNetwork.name(of: address), about)]
        if let network = CallerNetwork.wide(of: address) { names.append(Self.name(wide, network, about)) }
        windows.withLockedValue { windows in
            for name in names { windows.takeBack(name) }
        }
    }

    private static func name(_ kind: Kind, _ network: String, _ about: String) -> String {
        "\(kind.rawValue) \(network) \(about)"
    }

    /// Counts a request; throws the 429 with its `Retry-After` once there were too many.
    package func spend(_ kind: Kind, from address: String) throws {
        try spend(kind, by: CallerNetwork.name(of: address), "")
    }

    private func spend(_ kind: Kind, by network: String, _ about: String) throws {
        let moment = now(), name = Self.name(kind, network, about)
        let left = windows.withLockedValue { windows -> Duration? in
            let count = windows.add(name, at: moment)
            return count > kind.maximum ? windows.remaining(of: name, at: moment) : nil
        }
        guard let left else { return }
        throw Refusal.waiting(left)
    }
}

extension Refusal {
    /// 429 with the seconds to wait.
    package static func waiting(_ left: Duration, _ problem: Problem = .rateLimited) -> Refusal {
        Refusal(problem, headers: [.retryAfter: String(max(1, Int(left.seconds.rounded(.up))))])
    }
}
