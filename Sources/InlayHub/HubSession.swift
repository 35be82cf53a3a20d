import InlayCore

/// What the hub needs of its session, without holding the session itself.
struct HubSession: Sendable {
    let configuration: SessionConfiguration
    let clock: any SessionClock
    let serverClock: ServerClock
    let transport: GatedTransport
    let api: APIClient
    let outbox: Outbox
    let live: Live
    let work: SessionWork
    let log: DebugLog
    let isActive: @Sendable () -> Bool

    init(_ session: InlaySession) {
        configuration = session.configuration
        (clock, serverClock) = (session.clock, session.serverClock)
        (transport, api, outbox) = (session.transport, session.api, session.outbox)
        (live, work, log) = (session.live, session.work, session.log)
        isActive = { [weak session] in session?.isActive ?? false }
    }
}
