public import Foundation

/// Trusted metadata as files of a folder: `root.json`, `timestamp.json`, …, former roots in a folder of their own.
///
/// One client at a time may use a folder.
@_spi(Inlay) public struct FolderMetadataStore: TrustMetadataStore {
    /// The folder.
    public let folder: URL

    /// A store in a folder, which is made on the first write. Partial files of interrupted writes are removed.
    public init(folder: URL) {
        self.folder = folder
        PartialFile.removeAbandoned(in: folder)
        PartialFile.removeAbandoned(in: formerRoots)
    }

    public func read(_ file: StoredMetadata) throws -> Data? {
        do {
            return try Data(contentsOf: url(file))
        } catch let error as CocoaError
            where error.code == .fileReadNoSuchFile || error.code == .fileNoSuchFile
        {
            return nil
        }
    }

    public func write(_ bytes: Data, as file: StoredMetadata) throws {
        let url = url(file)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try DurableFile.write(bytes, to: url)
    }

    public func remove(_ file: StoredMetadata) throws {
        do {
            try FileManager.default.removeItem(at: url(file))
            try DurableFile.syncFolder(url(file).deletingLastPathComponent())
        } catch let error as CocoaError where error.code == .fileNoSuchFile {}
    }

    private func url(_ file: StoredMetadata) -> URL {
        switch file {
        case .role(let name): folder.appendingPathComponent(FileName.safe(name, keepsCase: false) + ".json")
        case .formerRoot(let version): formerRoots.appendingPathComponent("\(version).root.json")
        // No role can have this name: the files of roles end in `.json`.
        case .nextRoot: folder.appendingPathComponent("root.next")
        }
    }

    private var formerRoots: URL { folder.appendingPathComponent("roots") }
}
