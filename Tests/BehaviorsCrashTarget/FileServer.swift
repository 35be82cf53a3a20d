import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayWire

/// A server in a file: what it took is a line each, so that it outlives the process that it is in.
///
/// It often misbehaves: of six submissions it refuses one, and takes one and does not say so.
final class FileServer: Transport {
    private let file: URL
    private let count: Locked<Int>

    /// - Parameter count: of the submissions before, so that each run begins with another of the six.
    init(_ file: URL, count: Int) {
        self.file = file
        self.count = Locked(count)
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard let submission = try? JSONDecoder().decode(EventSubmission.self, from: request.body ?? Data())
        else { return TransportResponse(status: 400) }
        let place = count.withLock { count in
            count += 1
            return count % 6
        }
        if place == 0 { return TransportResponse(status: 500) }
        guard take(submission) else { return TransportResponse(status: 503) }
        if place == 1 { throw .cut("after it took effect") }
        let receipt = BatchReceipt(receipts: submission.events.map { ItemReceipt(id: $0.id) })
        return TransportResponse(status: 200, body: (try? JSONEncoder().encode(receipt)) ?? Data())
    }

    func openSocket(_ request: TransportRequest) async throws(TransportError) -> any TransportSocket {
        throw .upgradeRefused(status: 404)
    }

    private func take(_ submission: EventSubmission) -> Bool {
        let lines = submission.events.map { event in
            "\(event.id) \(event.eventTypeCode) \(event["Event Name"] ?? "-") \(event["augmented"] ?? "-")\n"
        }
        // A kill can leave a part of them, also of a line: the next lines begin on a line of their own.
        guard let handle = try? FileHandle(forUpdating: file) else { return false }
        defer { try? handle.close() }
        return (try? handle.seekToEnd()) != nil
            && (try? handle.write(contentsOf: Data(("\n" + lines.joined()).utf8))) != nil
    }
}
