public import Foundation

extension TrustClient {
    /// Finds a target, and downloads it into a folder unless the right file is there already.
    ///
    /// The file's name is the whole target path, percent-encoded, so that no path can leave the folder.
    /// Returns where it is. Partial files that killed downloads left in the folder are removed first.
    public func download(_ path: String, into folder: URL) async throws(TrustError) -> URL {
        PartialFile.removeAbandoned(in: folder)
        let target = try await target(path)
        let file = folder.appendingPathComponent(FileName.safe(path))
        if let kept = try? Data(contentsOf: file, options: .mappedIfSafe), (try? target.verify(kept)) != nil {
            return file
        }
        try await download(target, to: file)
        return file
    }
}
