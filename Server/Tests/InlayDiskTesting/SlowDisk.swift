private import CDiskWitness
public import Foundation

/// A disk that does not finish the syncs of some files. On Linux only, like ``DiskWitness``.
public final class SlowDisk: Sendable {
    private let isHolding: Bool

    /// Holds every sync of the folder's files with this name prefix, until `release`, the end of this object or
    /// for 30 s.
    ///
    /// - Throws: An error on systems where syncs cannot be intercepted, or when the process has one already.
    public init(_ folder: URL, names start: String) throws {
        let path = folder.resolvingSymlinksInPath().appendingPathComponent(start).path
        isHolding = disk_hold(path)
        guard isHolding else { throw CocoaError(.featureUnsupported) }
    }

    // `deinit` also runs when `init` threw; the process's other slow disk must keep holding its syncs then.
    deinit { if isHolding { release() } }

    /// The number of syncs that were held.
    public var heldCount: Int { disk_held_count() }

    /// Lets the syncs go on.
    public func release() { disk_release() }
}
