import Foundation
import InlayCore
import InlayWire

/// Takes trackers in the order in which things happened and puts them into the outbox.
final class AdTrackerDesk: Sendable {
    /// What the calls say they come from.
    let userAgent = Locked<@Sendable () -> String?>({ nil })
    let counter = AdAddressCounter()
    private let session: SessionContext
    private let carrier: AdTrackerCarrier
    private let own: OutboxLane
    private let foreign: OutboxLane
    private let last: Locked<Task<Void, Never>>
    /// The newest call of the exchange that is made without a net, where nothing can be kept.
    private let lastCall = Locked<Task<Void, Never>?>(nil)

    init(_ session: SessionContext) {
        self.session = session
        let agent = userAgent
        let carrier = AdTrackerCarrier(transport: session.transport, counter: counter) {
            agent.withLock { $0 }()
        }
        self.carrier = carrier
        let (own, foreign) = (AdTrackerCarrier.own(carrier), AdTrackerCarrier.foreign(carrier))
        (self.own, self.foreign) = (own, foreign)
        let outbox = session.outbox
        // Ends once the lanes are there.
        last = Locked(
            session.work.prepare {
                await outbox.register(own)
                await outbox.register(foreign)
            })
    }

    /// What calls say they come from now; `nil` leaves it to the transport.
    var agent: String? { userAgent.withLock { $0 }() }

    /// Notes that something happened; its addresses are called later, in this order.
    ///
    /// - Parameter code: what stands for an error in them.
    func count(_ name: AdEventName, _ sheet: AdTrackerSheet, _ budget: inout AdCallBudget, code: Int? = nil) {
        let macros = AdTrackerMacros(code: code)
        add(
            own: (sheet.own[name] ?? []).map(macros.own),
            foreign: budget.admitted(sheet.foreign[name] ?? []).map(macros.foreign))
    }

    /// Notes addresses of the creative that are to be called.
    func call(_ addresses: [String], _ budget: inout AdCallBudget) {
        let macros = AdTrackerMacros(code: nil)
        add(own: [], foreign: budget.admitted(addresses).map(macros.foreign))
    }

    /// Returns when everything that was noted before is safe from a crash.
    func settled() async { await last.withLock { $0 }.value }

    private func add(own: [String], foreign: [String]) {
        let (own, foreign) = (own.filter(Self.isCallable), foreign.filter(Self.isCallable))
        guard !(own.isEmpty && foreign.isEmpty) else { return }
        last.withLock { last in
            let before = last
            // One after the other, so that the outbox has them in the order of the events. Ends when they
            // are stored.
            last = session.work.start { [self] in
                await before.value
                for address in own { await store(address, self.own) }
                for address in foreign { await store(address, self.foreign) }
            }
        }
    }

    private func store(_ address: String, _ lane: OutboxLane) async {
        let now = session.serverClock.now()
        do {
            try await session.outbox.enqueue(
                id: UUIDv7.make(at: now), body: Data(address.utf8), time: now, lane: lane.name,
                atLogOut: true)
        } catch {
            // Without a user there is no store, for example when the app has no token. Better called
            // without a net than not at all.
            session.log.operation("ads: a tracker could not be kept: \(error)")
            guard session.isActive else { return }
            if lane.name == own.name { callInOrder(address) } else { callAtOnce(address) }
        }
    }

    /// One after the other, as the lane would: a click before its view, or a reward before the end that earned
    /// it, is refused.
    private func callInOrder(_ address: String) {
        lastCall.withLock { last in
            let before = last
            // Ends with the answer to the last; log-out cancels it.
            last = session.work.start { [carrier, own] in
                await before?.value
                _ = await carrier.call(address, id: own.name)
            }
        }
    }

    private func callAtOnce(_ address: String) {
        // Ends with the answer; log-out cancels it.
        session.work.start { [carrier, foreign] in _ = await carrier.call(address, id: foreign.name) }
    }

    private static func isCallable(_ address: String) -> Bool {
        address.utf8.count <= AdLimits.addressBytes && address.lowercased().hasPrefix("http")
    }
}
