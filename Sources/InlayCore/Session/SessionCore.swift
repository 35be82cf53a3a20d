/// What every part of a session shares.
struct SessionCore: Sendable {
    let clock: any SessionClock
    let serverClock: ServerClock
    let state: SessionState
    let work: SessionWork
    let events: SessionEvents
    let log: DebugLog
}
