private import CDiskWitness
public import Foundation

/// A disk that does not finish the syncs of some files. On Linux only, like ``DiskWitness``.
public final class SlowDisk: Sendable {
    /// Holds the syncs of all files of a folder whose names begin with a text, until `release`, the end of this object or
    /// for 30 s.
    ///
    /// - Throws: An error where the system has no such disks, or the process has one already.
    public init(_ folder: URL, names start: String) throws {
        let path = folder.resolvingSymlinksInPath().appendingPathComponent(start).path
        guard disk_hold(path) else { throw CocoaError(.featureUnsupported) }
    }

    deinit { release() }

    /// The number of syncs that were held.
    public var heldCount: Int { disk_held_count() }

    /// Lets the syncs go on.
    public func release() { disk_release() }
}
