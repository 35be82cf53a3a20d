import Foundation
public import InlayCore
import InlayWire

extension InlaySession {
    /// What this session's user does.
    public var behaviors: Behaviors { Behaviors(feature(BehaviorEngine.self) { BehaviorEngine(self) }) }
}

/// Behaviors: what people do, told to the server once, also after a crash.
///
/// ```swift
/// try await session.behaviors.track(.named("Timetable viewed", attributes: ["from": "Kirkwall"]))
/// ```
public struct Behaviors: Sendable {
    let engine: BehaviorEngine

    init(_ engine: BehaviorEngine) { self.engine = engine }

    /// Stores an event; returns its id when it is safe from a crash. It is sent when it can be.
    @discardableResult
    public func track(_ behavior: Behavior) async throws(BehaviorError) -> String {
        try await engine.track(behavior)
    }

    /// Sends what is stored now; returns when it is gone or sending failed.
    public func postEventCache() async { await engine.flush() }
}
