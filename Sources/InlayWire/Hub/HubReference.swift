/// A reference to one hub, channel or article of a source, for example `hub:article/first-ferry`.
public struct HubReference: Hashable, Sendable {
    /// The kind of item that a reference names.
    public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        case hub, channel, article
    }

    /// The kind of content.
    public var kind: Kind
    /// The content's id.
    public var id: String

    /// The scheme of a reference written as a URI.
    public static let scheme = "hub"

    /// Creates a reference.
    public init(_ kind: Kind, _ id: String) {
        self.kind = kind
        self.id = id
    }

    /// Reads `hub:<kind>/<id>`; `nil` for anything else.
    public init?(uri: String) {
        let prefix = Self.scheme + ":"
        guard uri.hasPrefix(prefix) else { return nil }
        let parts = String(uri.dropFirst(prefix.count)).pathParts
        guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])), Self.isID(parts[1]) else {
            return nil
        }
        self.init(kind, String(parts[1]))
    }

    /// The reference as text: `hub:<kind>/<id>`.
    public var uri: String { "\(Self.scheme):\(kind.rawValue)/\(id)" }

    /// Whether a text may be the id of a hub, channel, article or source: 1 to 64 of `a-z`, `0-9`, `-`,
    /// not starting or ending with a dash.
    public static func isID(_ text: some StringProtocol) -> Bool {
        let bytes = Array(text.utf8)
        guard (1...64).contains(bytes.count), bytes.first != 0x2D, bytes.last != 0x2D else { return false }
        return bytes.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    }
}
