import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayWire

/// A server in a file: what it took is a line each, so that it outlives the process that it is in.
///
/// It often misbehaves: it fails, or takes a submission and does not say so.
final class FileServer: Transport {
    private let file: URL

    init(_ file: URL) { self.file = file }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard let submission = try? JSONDecoder().decode(EventSubmission.self, from: request.body ?? Data())
        else { return TransportResponse(status: 400) }
        let mood = Int.random(in: 0..<6)
        if mood == 0 { return TransportResponse(status: 500) }
        guard take(submission) else { return TransportResponse(status: 503) }
        if mood == 1 { throw .cut("after it took effect") }
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
