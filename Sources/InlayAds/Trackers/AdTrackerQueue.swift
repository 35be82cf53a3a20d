import Foundation
import InlayCore
@_spi(Inlay) import InlayWire

/// Takes trackers in the order in which things happened and puts them into the outbox.
final class AdTrackerQueue: Sendable {
    /// The user agent of the calls.
    let userAgent = Locked<@Sendable () -> String?>({ nil })
    let counter = AdAddressCounter()
    private let session: SessionContext
    private let carrier: AdTrackerCarrier
    private let own: OutboxLane
    private let foreign: OutboxLane
    private let storeQueue: SerialQueue
    /// The calls of the exchange that could not be stored.
    private let callQueue: SerialQueue

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
        let lanes = session.work.prepare {
            await outbox.register(own)
            await outbox.register(foreign)
        }
        storeQueue = SerialQueue(session.work, after: lanes)
        callQueue = SerialQueue(session.work)
    }

    /// The current user agent of the calls; `nil` leaves it to the transport.
    var agent: String? { userAgent.withLock { $0 }() }

    /// Notes that something happened; its addresses are called later, in this order.
    ///
    /// - Parameter code: what stands for an error in them.
    func count(_ name: AdEventName, _ sheet: AdTrackerList, _ budget: inout AdCallBudget, code: Int? = nil) {
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
    func settled() async { await storeQueue.settled() }

    private func add(own: [String], foreign: [String]) {
        let (own, foreign) = (own.compactMap(Self.callable), foreign.compactMap(Self.callable))
        guard !(own.isEmpty && foreign.isEmpty) else { return }
        storeQueue.add { [self] in
            for address in own { await store(address, self.own) }
            for address in foreign { await store(address, self.foreign) }
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
    /// it, is refused. The exchange may ask for some time first, as long as another rewarded video of the user lasts.
    private func callInOrder(_ address: String) {
        callQueue.add { [carrier, own, clock = session.clock] in
            for triesLeft in (0..<(own.maximumTries ?? 1)).reversed() {
                guard case .failure(let error) = await carrier.call(address, id: own.name), triesLeft > 0,
                    let delay = error.retryAfter, delay <= .seconds(AdLimits.maximumTrackerDelay),
                    (try? await clock.sleep(for: delay)) != nil
                else { return }
            }
        }
    }

    private func callAtOnce(_ address: String) {
        // Ends with the answer; log-out cancels it.
        session.work.start { [carrier, foreign] in _ = await carrier.call(address, id: foreign.name) }
    }

    /// The address as it is called; `nil` for a text that is none.
    private static func callable(_ address: String) -> String? {
        (try? WebAddress(address, maximumBytes: AdLimits.addressBytes))?.text
    }
}

/// Fills the places that trackers leave open.
struct AdTrackerMacros {
    private let code: String?
    private let moment: [Substring: String]

    /// Values for trackers that are called now, for an error of this number if any.
    init(code: Int?, now: Date = Date(), random: Int = Int.random(in: 10_000_000...99_999_999)) {
        self.code = code.map { String($0) }
        let time = ISO8601DateFormatter.string(
            from: now, timeZone: TimeZone(secondsFromGMT: 0) ?? .current,
            formatOptions: [.withInternetDateTime, .withFractionalSeconds])
        moment = ["CACHEBUSTING": String(random), "TIMESTAMP": PercentEncoding.encode(time)]
    }

    /// The exchange's own: nothing of it is touched but the number.
    func own(_ address: String) -> String {
        VASTMacros.filled(address) { $0 == "ERRORCODE" ? code : nil }
    }

    /// An advertiser's.
    func foreign(_ address: String) -> String {
        VASTMacros.filled(address) { $0 == "ERRORCODE" ? code : moment[$0] }
    }
}
