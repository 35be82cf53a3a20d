import Foundation
import InlayCore
@_spi(Inlay) import InlayWire

/// A queue that stores tracker calls in the outbox, in the order of their events.
final class AdTrackerQueue: Sendable {
    /// The user agent of the calls.
    let userAgent = Locked<@Sendable () -> String?>({ nil })
    let counter = AdAddressCounter()
    private let session: SessionContext
    private let carrier: AdTrackerCarrier
    private let own: OutboxLane
    private let foreign: OutboxLane
    private let storeQueue: SerialQueue
    /// The queue of calls to the exchange that could not be stored.
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
        // Ends when the lanes are registered.
        let lanes = session.work.prepare {
            await outbox.register(own)
            await outbox.register(foreign)
        }
        storeQueue = SerialQueue(session.work, after: lanes)
        callQueue = SerialQueue(session.work)
    }

    /// The current user agent of the calls; `nil` leaves it to the transport.
    var agent: String? { userAgent.withLock { $0 }() }

    /// Enqueues the tracker calls of an event.
    ///
    /// - Parameter code: the value of the macro `[ERRORCODE]`.
    func enqueue(
        _ event: AdEventName, of trackers: AdTrackerList, _ budget: inout AdCallBudget, code: Int? = nil
    ) {
        let macros = AdTrackerMacros(code: code)
        add(
            own: (trackers.own[event] ?? []).map(macros.own),
            foreign: budget.admitted(trackers.foreign[event] ?? []).map(macros.foreign))
    }

    /// Enqueues calls to addresses of the creative.
    func call(_ addresses: [String], _ budget: inout AdCallBudget) {
        let macros = AdTrackerMacros(code: nil)
        add(own: [], foreign: budget.admitted(addresses).map(macros.foreign))
    }

    /// Returns when all calls that were enqueued before are stored, so that they survive a crash.
    func settled() async { await storeQueue.settled() }

    private func add(own: [String], foreign: [String]) {
        let (own, foreign) = (own.compactMap(callable), foreign.compactMap(callable))
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
            // Without a user there is no store, for example when the app has no token. The call is then sent at once,
            // although it would not survive a crash.
            session.log.operation("ads: a tracker could not be kept: \(error)")
            guard session.isActive else { return }
            if lane.name == own.name { callInOrder(address) } else { callAtOnce(address) }
        }
    }

    /// Calls the address after all earlier ones, as the lane would: the exchange refuses a click before its view, and a
    /// reward before the end of its video. It may ask for a delay, as long as another rewarded video of the user lasts.
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
        // Ends with the response; log-out cancels it.
        session.work.start { [carrier, foreign] in _ = await carrier.call(address, id: foreign.name) }
    }

    /// Returns the address as it is called; `nil` for a text that is no web address or too long.
    private func callable(_ address: String) -> String? {
        do throws(WebAddress.Refusal) {
            return try WebAddress(address, maximumBytes: AdLimits.maximumAddressBytes).text
        } catch {
            session.log.operation("ads: a tracker cannot be called: \(error)")
            return nil
        }
    }
}

/// The values of the macros in tracker addresses.
struct AdTrackerMacros {
    private let code: String?
    private let values: [Substring: String]

    /// Creates the values for trackers that are called now, with the error code if there was an error.
    init(code: Int?, now: Date = Date(), random: Int = Int.random(in: 10_000_000...99_999_999)) {
        self.code = code.map { String($0) }
        let time = ISO8601DateFormatter.string(
            from: now, timeZone: TimeZone(secondsFromGMT: 0) ?? .current,
            formatOptions: [.withInternetDateTime, .withFractionalSeconds])
        values = ["CACHEBUSTING": String(random), "TIMESTAMP": PercentEncoding.encode(time)]
    }

    /// Fills an address of the exchange: only the error code.
    func own(_ address: String) -> String {
        VASTMacros.filled(address) { $0 == "ERRORCODE" ? code : nil }
    }

    /// Fills an address of an advertiser: the error code, `[CACHEBUSTING]` and `[TIMESTAMP]`.
    func foreign(_ address: String) -> String {
        VASTMacros.filled(address) { $0 == "ERRORCODE" ? code : values[$0] }
    }
}
