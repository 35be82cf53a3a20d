import InlayCore
import Logging

/// The lines that a session logs.
final class LogLines: Sendable {
    private let kept = Locked<[String]>([])

    var lines: [String] { kept.withLock { $0 } }
    var logger: Logger { Logger(label: "test") { _ in Handler(kept: self.kept) } }

    private struct Handler: LogHandler {
        let kept: Locked<[String]>
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { kept.withLock { $0.append("\(event.level): \(event.message)") } }
    }
}
