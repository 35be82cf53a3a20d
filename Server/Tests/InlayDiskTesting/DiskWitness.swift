private import CDiskWitness
public import Foundation

/// Records the writes, syncs and renames below a folder, in their order, so that a test can prove what has reached
/// the disk. On Linux only: elsewhere `isSupported` is false and nothing is recorded.
public final class DiskWitness: Sendable {
    /// One successful call of the process. Names are relative to the folder.
    public enum Event: Equatable, Sendable {
        case write(String)
        /// A file's or a folder's content has reached the disk; the folder itself is "".
        case sync(String)
        case rename(String, to: String)
    }

    /// Whether this system can record.
    public static var isSupported: Bool { disk_witness_is_supported() }

    private let folder: String
    private let start: Int

    /// Records what happens below a folder until this object is deallocated.
    public init(_ folder: URL) {
        self.folder = folder.resolvingSymlinksInPath().path
        start = disk_witness_begin()
    }

    deinit { disk_witness_end() }

    /// The events so far.
    public var events: [Event] {
        (start..<disk_witness_count()).compactMap { index in
            var event = disk_event()
            guard disk_witness_event(index, &event), let path = relative(text(event.path)) else { return nil }
            switch UInt8(bitPattern: event.kind) {
            case UInt8(ascii: "w"): return .write(path)
            case UInt8(ascii: "s"): return .sync(path)
            default: return .rename(path, to: relative(text(event.target)) ?? text(event.target))
            }
        }
    }

    /// The files that were written and not synced since, in no order.
    public var unsynced: Set<String> {
        events.reduce(into: []) { open, event in
            switch event {
            case .write(let path): open.insert(path)
            case .sync(let path): open.remove(path)
            case .rename(let from, let to):
                let isUnsynced = open.remove(from) != nil
                if isUnsynced { open.insert(to) } else { open.remove(to) }
            }
        }
    }

    private func relative(_ path: String) -> String? {
        if path == folder { return "" }
        return path.hasPrefix(folder + "/") ? String(path.dropFirst(folder.count + 1)) : nil
    }

    private func text<Bytes>(_ bytes: Bytes) -> String {
        withUnsafeBytes(of: bytes) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
