private import CDiskWitness
public import Foundation

/// A folder whose disk has no room: a write that would make a file below it longer fails with the system's own error.
/// On Linux only, like ``DiskWitness``.
public final class FullDisk: Sendable {
    private let folder: String

    /// Takes the room away, until `makeRoom` or the end of this object.
    ///
    /// - Parameter isHidden: Whether the disk's own numbers go on saying that there is room, as with a quota.
    /// - Throws: An error where the system has no such disks, or too many of them are full.
    public init(_ folder: URL, isHidden: Bool = false) throws {
        self.folder = folder.resolvingSymlinksInPath().path
        guard disk_fill(self.folder, isHidden) else { throw CocoaError(.featureUnsupported) }
    }

    deinit { makeRoom() }

    /// Gives the room back.
    public func makeRoom() { disk_make_room(folder) }
}
