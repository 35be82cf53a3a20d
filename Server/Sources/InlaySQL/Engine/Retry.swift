import Foundation

/// The retry of transactions after errors that another attempt may not have.
enum Retry {
    private static let maximumAttempts = 5

    /// Returns whether nothing was written and another attempt may succeed.
    static func isRetryable(_ error: any Error) -> Bool {
        guard let kind = (error as? SQLError)?.kind else { return false }
        return kind == .conflict || kind == .connectionLost
    }

    /// Runs the transaction up to five times. Blocks its thread between attempts, so it must run on an engine's thread.
    static func run<T>(_ transaction: () throws -> T) throws -> T {
        var attempt = 1
        while true {
            do {
                return try transaction()
            } catch  where attempt < maximumAttempts && isRetryable(error) {
                // Full jitter, so that transactions that conflicted do not retry at the same time.
                Thread.sleep(forTimeInterval: .random(in: 0...0.01 * Double(1 << attempt)))
                attempt += 1
            }
        }
    }
}
