import Foundation

/// The message from one node to the others, small enough for the database's notification.
struct LiveEnvelope: Codable, Sendable {
    /// Under the 7,900 bytes of a payload, with space for the last change of a part.
    private static let maximumBytes = 7000

    /// The sending node; a node skips its own messages.
    let node: String
    let changes: [LiveChange]
    /// Whether the node stops, and has sent all its messages.
    var isLeaving: Bool?
    /// Whether an earlier message of the node was lost.
    var hasLost: Bool?

    /// The envelope as the database's notification.
    var payload: String? { (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } }

    /// Returns the changes in as few payloads as fit.
    static func payloads(_ changes: [LiveChange], from node: String) -> [String] {
        let encoder = JSONEncoder()
        var parts: [[LiveChange]] = [[]]
        var bytes = 0
        for change in changes {
            // Escaping may turn every byte into six; ids have at most 512 bytes, so one change always fits.
            let size = (try? encoder.encode(change).count) ?? 0
            if bytes + size > maximumBytes, !(parts.last ?? []).isEmpty {
                parts.append([])
                bytes = 0
            }
            parts[parts.count - 1].append(change)
            bytes += size + 1
        }
        return parts.filter { !$0.isEmpty }.compactMap { part in
            LiveEnvelope(node: node, changes: part).payload
        }
    }
}
