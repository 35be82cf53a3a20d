import Foundation
import InlayCore
import InlayWire

/// Takes trackers in the order in which things happened and puts them into the outbox.
final class AdTrackerDesk: Sendable {
    private enum Job: Sendable {
        case call(String, lane: String)
        case tell(CheckedContinuation<Void, Never>)
    }

    private let session: InlaySession
    private let jobs: AsyncStream<Job>.Continuation

    init(_ session: InlaySession) {
        self.session = session
        let (_, jobs) = AsyncStream.makeStream(of: Job.self)
        self.jobs = jobs
    }

    /// Notes that something happened; the addresses are called, each once, later and in this order.
    func count(_ name: AdEventName, _ sheet: AdTrackerSheet, code: Int? = nil) {}

    /// Returns when everything that was noted before is safe from a crash.
    func settled() async {}

    func call(_ addresses: [String]) {}
}
