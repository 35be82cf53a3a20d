import Foundation

/// A destination of the bytes of one download.
protocol DownloadSink<Value>: Sendable {
    associatedtype Value: Sendable

    /// Takes the next bytes; called by one thread at a time.
    func write(_ data: Data) throws

    /// Ends the download; throws when the bytes are not the right ones.
    func finish() throws(TrustError) -> Value

    /// Gives the download up and removes what was written.
    func abandon()
}

/// Bytes in memory, for metadata.
final class MemorySink: DownloadSink, @unchecked Sendable {
    // `@unchecked`: `Download` calls `write` under its lock, and `finish` after the last of them.
    private var data = Data()

    func write(_ data: Data) { self.data.append(data) }

    func finish() -> Data { data }

    func abandon() { data = Data() }
}

/// A target in memory, verified at the end.
final class TargetMemorySink: DownloadSink, @unchecked Sendable {
    // `@unchecked`: see `MemorySink`.
    private let target: TargetFile
    private var data = Data()

    init(_ target: TargetFile) { self.target = target }

    func write(_ data: Data) { self.data.append(data) }

    func finish() throws(TrustError) -> Data {
        try target.verify(data)
        return data
    }

    func abandon() { data = Data() }
}
