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
        case create, logIn, code, guess, reset, refresh, claim, recover, offer

        /// How many an address may send in the window. Many phones may share one address.
        var most: Int {
            switch self {
            // Codes for one address of the mail.
            case .guess: 20
            case .reset, .recover, .offer: 60
            case .create, .logIn, .code: 300
            case .refresh, .claim: 1200
            }
        }
    }

    private struct Window {
        var count = 0
        let began: Timestamp
    }

    private static let length: Duration = .seconds(900)
    private static let mostNames = 50_000
    private let now: @Sendable () -> Timestamp
    private let windows = NIOLockedValueBox<[String: Window]>([:])

    init(now: @escaping @Sendable () -> Timestamp) { self.now = now }

    /// Counts a request about one address of an application's environment, which need not be one.
    func spend(
        _ kind: Kind, from address: String, about email: String, of application: DeviceApplication
    ) throws {
        let whom = MailAddress(email)?.text ?? ""
        try spend(kind, from: address, about: Secret.hash("\(application.environmentID)\n\(whom)"))
    }

    /// Counts a request; throws the 429 with its `Retry-After` once there were too many.
    func spend(_ kind: Kind, from address: String, about: String = "") throws {
        let moment = now(), name = "\(kind.rawValue) \(CallerNetwork.name(of: address)) \(about)"
        let left = windows.withLockedValue { windows -> Duration? in
            if windows.count >= Self.mostNames { Self.forgetEnded(&windows, moment) }
            var window = windows[name] ?? Window(began: moment)
            if moment - window.began >= Self.length { window = Window(began: moment) }
            window.count += 1
            windows[name] = window
            return window.count > kind.most ? Self.length - (moment - window.began) : nil
        }
        guard let left else { return }
        throw Refusal.waiting(left)
    }

    /// What has ended says nothing; when all still count, all are forgotten: a flood of addresses costs the
    /// server no memory.
    private static func forgetEnded(_ windows: inout [String: Window], _ moment: Timestamp) {
        windows = windows.filter { moment - $0.value.began < length }
        if windows.count >= mostNames { windows.removeAll() }
    }
}

extension Refusal {
    /// 429 with the seconds to wait.
    static func waiting(_ left: Duration, _ problem: Problem = .rateLimited) -> Refusal {
        Refusal(problem, headers: [.retryAfter: String(max(1, Int(left.seconds.rounded(.up))))])
    }
}
