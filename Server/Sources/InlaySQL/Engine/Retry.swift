import Foundation

/// Runs a transaction again when the engine says that another try may succeed.
enum Retry {
    private static let attempts = 5

    /// True for errors after which nothing was written and a new try makes sense.
    static func isWorthwhile(_ error: any Error) -> Bool {
        guard let kind = (error as? SQLError)?.kind else { return false }
        return kind == .conflict || kind == .connectionLost
    }

    /// Runs the transaction up to five times. Blocks its thread between tries, so it belongs on a
    /// thread of an engine.
    static func run<T>(_ transaction: () throws -> T) throws -> T {
        var attempt = 1
        while true {
            do {
                return try transaction()
            } catch  where attempt < attempts && isWorthwhile(error) {
                // Full jitter: transactions that collided must not collide again in step.
                Thread.sleep(forTimeInterval: .random(in: 0...0.01 * Double(1 << attempt)))
                attempt += 1
            }
        }
    }
}
