import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayWire

/// A server that appends a line to a file for each event that it accepts, so that its state survives the process.
///
/// Of six submissions, it refuses one with status 500, and accepts one and cuts the connection before the response.
final class FileServer: Transport {
    private let file: URL
    private let count: Locked<Int>

    /// - Parameter count: The number from which submissions are counted, so that runs begin with different ones of the
    ///   six.
    init(_ file: URL, count: Int) {
        self.file = file
        self.count = Locked(count)
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard let submission = try? JSONDecoder().decode(EventSubmission.self, from: request.body ?? Data())
        else { return TransportResponse(status: 400) }
        let position = count.withLock { count in
            count += 1
            return count % 6
        }
        if position == 0 { return TransportResponse(status: 500) }
        guard take(submission) else { return TransportResponse(status: 503) }
        if position == 1 { throw .cut("after it took effect") }
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
        // A kill can cut the lines anywhere, so each write begins with a line break.
        guard let handle = try? FileHandle(forUpdating: file) else { return false }
        defer { try? handle.close() }
        return (try? handle.seekToEnd()) != nil
            && (try? handle.write(contentsOf: Data(("\n" + lines.joined()).utf8))) != nil
    }
}
