import InlayCore

/// The hub's log: messages that pass both levels go to the app's sink.
///
/// A message passes only when its severity and its verbosity are both within the levels; the sink is
/// not asked about any other.
public final class HubLog: Sendable {
    /// A receiver of messages; called from any thread, one message at a time per caller.
    public typealias Sink = @Sendable (HubLog.Message) -> Void

    private struct State {
        var severity = HubLog.Severity.error
        var verbosity = HubLog.Verbosity.debug
        var sink: Sink?
    }

    private let state = Locked(State())

    /// A log with the default levels and no sink.
    public init() {}

    /// The least restrictive severity that passes; default `error`.
    public var severity: HubLog.Severity {
        get { state.withLock { $0.severity } }
        set { state.withLock { $0.severity = newValue } }
    }

    /// The least restrictive verbosity that passes; default `debug`.
    public var verbosity: HubLog.Verbosity {
        get { state.withLock { $0.verbosity } }
        set { state.withLock { $0.verbosity = newValue } }
    }

    /// Sets the receiver of the messages that pass; `nil` drops them.
    public func setSink(_ sink: Sink?) { state.withLock { $0.sink = sink } }

    /// Writes a message to the sink when it passes both levels.
    package func write(
        _ severity: HubLog.Severity, _ verbosity: HubLog.Verbosity = .debug, _ text: @autoclosure () -> String
    ) {
        let sink: Sink? = state.withLock { state in
            let passes =
                severity > .none && severity <= state.severity && verbosity > .none
                && verbosity <= state.verbosity
            return passes ? state.sink : nil
        }
        // Outside the lock: a sink may read or set the levels.
        sink?(HubLog.Message(text(), severity: severity, verbosity: verbosity))
    }
}
