import Logging

/// The SDK's debug log, silent unless the app asks for it, but for mistakes of the app.
///
/// Lines name operations, paths, statuses and counts. Tokens, keys, header fields and bodies never
/// come here, at any level.
package final class DebugLog: Sendable {
    /// The level of detail; each level includes the ones below.
    package enum Level: Int, Comparable, Sendable {
        case silent, operations, details, everything

        package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    private let logger: Logger
    private let level = Locked(Level.silent)

    init(_ logger: Logger) {
        var logger = logger
        // The debug level decides alone; the logger's own would hide details.
        logger.logLevel = .trace
        self.logger = logger
    }

    /// Sets the level: 0 silent, 1 operations, 2 details, 3 everything; outside that the nearest.
    package func setLevel(_ number: Int) {
        level.withLock { $0 = Level(rawValue: min(max(number, 0), 3)) ?? .silent }
    }

    /// Every level: a mistake of the app, which does nothing else that its developer would see.
    package func mistake(_ text: @autoclosure () -> String) {
        let line = text()
        logger.error("\(line)")
    }

    /// Level 1: an operation or transaction began, ended or failed.
    package func operation(_ text: @autoclosure () -> String) { write(.operations, .info, text) }

    /// Level 2: the details of an operation.
    package func detail(_ text: @autoclosure () -> String) { write(.details, .debug, text) }

    /// Level 3: anything else worth a line.
    package func trace(_ text: @autoclosure () -> String) { write(.everything, .trace, text) }

    private func write(_ needed: Level, _ level: Logger.Level, _ text: () -> String) {
        guard self.level.withLock({ $0 >= needed }) else { return }
        let line = text()
        logger.log(level: level, "\(line)")
    }
}
