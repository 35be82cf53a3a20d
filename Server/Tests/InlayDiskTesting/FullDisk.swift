private import CDiskWitness
public import Foundation

/// A folder whose disk is full: a write that would make a file below it longer fails with the system's own error.
/// On Linux only, like ``DiskWitness``.
public final class FullDisk: Sendable {
    private let folder: String

    /// Fills the disk until `freeSpace` or the end of this object.
    ///
    /// - Parameter isHidden: Whether the disk still reports free space, as with a quota.
    /// - Throws: An error where the system has no such disks, or too many of them are full.
    public init(_ folder: URL, isHidden: Bool = false) throws {
        self.folder = folder.resolvingSymlinksInPath().path
        guard disk_fill(self.folder, isHidden) else { throw CocoaError(.featureUnsupported) }
    }

    deinit { freeSpace() }

    /// Frees the space again.
    public func freeSpace() { disk_free_space(folder) }
}
