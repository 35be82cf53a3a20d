import Logging

/// The SDK's debug log. By default it only writes the app's mistakes.
///
/// Lines name operations, paths, statuses and counts. Tokens, keys, header fields and bodies are never logged, at any
/// level.
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

    /// Sets the level: 0 silent, 1 operations, 2 details, 3 everything; other numbers count as the nearest of these.
    package func setLevel(_ number: Int) {
        level.withLock { $0 = Level(rawValue: min(max(number, 0), 3)) ?? .silent }
    }

    /// Logs a mistake of the app, at every level: such a call has no other effect that the app's developer would see.
    package func mistake(_ text: @autoclosure () -> String) {
        let line = text()
        logger.error("\(line)")
    }

    /// Logs the start, end or failure of an operation or transaction, from level 1 on.
    package func operation(_ text: @autoclosure () -> String) { write(.operations, .info, text) }

    /// Logs the details of an operation, from level 2 on.
    package func detail(_ text: @autoclosure () -> String) { write(.details, .debug, text) }

    /// Logs anything else, at level 3.
    package func trace(_ text: @autoclosure () -> String) { write(.everything, .trace, text) }

    private func write(_ needed: Level, _ level: Logger.Level, _ text: () -> String) {
        guard self.level.withLock({ $0 >= needed }) else { return }
        let line = text()
        logger.log(level: level, "\(line)")
    }
}
