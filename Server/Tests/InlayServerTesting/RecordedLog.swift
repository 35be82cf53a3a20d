import Logging
import NIOConcurrencyHelpers

/// A log handler that keeps each message with its level and metadata.
struct RecordedLog: LogHandler {
    struct Line: Sendable {
        let level: Logger.Level
        let text: String
    }

    let lines: NIOLockedValueBox<[Line]>
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        lines.withLockedValue { $0.append(Line(level: event.level, text: "\(event.message) \(all)")) }
    }

    /// Creates a logger, and the list of the lines that it logs.
    static func make() -> (logger: Logger, lines: NIOLockedValueBox<[Line]>) {
        let lines = NIOLockedValueBox<[Line]>([])
        return (Logger(label: "recorded") { _ in RecordedLog(lines: lines) }, lines)
    }
}
