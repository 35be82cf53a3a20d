import InlayCore
public import Logging

/// The lines of one logger, collected for a test.
public final class LogLines: Sendable {
    private let stored = Locked<[String]>([])

    /// Creates an empty list.
    public init() {}

    /// The lines, oldest first, each with its level in front: `error: a reason`.
    public var all: [String] { stored.withLock { $0 } }

    /// A logger whose lines are collected; its level is `info` unless its user sets another.
    public var logger: Logger { Logger(label: "test") { _ in Handler(stored: self.stored) } }

    private struct Handler: LogHandler {
        let stored: Locked<[String]>
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { stored.withLock { $0.append("\(event.level): \(event.message)") } }
    }
}
