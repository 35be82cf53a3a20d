import Foundation

/// The number of connections that this process can hold.
///
/// Without a descriptor left `accept` fails, NIO hands that error to the server's loop, and the loop ends for
/// good: the server would go on without ever taking a connection again.
enum Connections {
    /// The descriptors for the database, files, bidders, mails and pushes, and for what is accepted in one batch.
    private static let reserve = 200

    /// Raises the limit of descriptors as far as the process may, and returns how many of them connections can use.
    static func maximum() -> Int {
        #if canImport(Darwin)
            let kind = RLIMIT_NOFILE
        #else
            let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #endif
        var limit = rlimit()
        guard getrlimit(kind, &limit) == 0 else { return 1024 - reserve }
        limit.rlim_cur = min(limit.rlim_max, 1 << 20)
        guard setrlimit(kind, &limit) == 0 || getrlimit(kind, &limit) == 0 else { return 1024 - reserve }
        let descriptors = Int(clamping: limit.rlim_cur)
        return max(descriptors - reserve, descriptors / 2)
    }
}
