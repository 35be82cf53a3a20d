import Foundation

/// The limit of open file descriptors, of which each socket needs one.
enum FileDescriptors {
    /// Raises this process's limit, which its children inherit, to the hard limit and returns it.
    @discardableResult
    static func raise() -> Int {
        var limit = rlimit()
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(kind, &limit) == 0 else { return 1024 }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(kind, &limit)
        return Int(limit.rlim_cur)
    }
}
