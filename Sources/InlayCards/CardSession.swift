import InlayCore

/// What cards need of their session, without holding the session itself: one that the app drops ends its work.
struct CardSession: Sendable {
    let api: APIClient
    let outbox: Outbox
    let live: Live
    let work: SessionWork
    let events: SessionEvents
    let serverClock: ServerClock
    let clock: any SessionClock
    let log: DebugLog
    private let isSessionActive: @Sendable () -> Bool

    /// Whether the session can be used: not logged out, nor about to be, nor gone.
    var isActive: Bool { isSessionActive() }

    init(_ session: InlaySession) {
        (api, outbox, live, work) = (session.api, session.outbox, session.live, session.work)
        (events, serverClock) = (session.events, session.serverClock)
        (clock, log) = (session.clock, session.log)
        isSessionActive = { [weak session] in session?.isActive ?? false }
    }
}
