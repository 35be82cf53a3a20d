/// Where a page gets its images from.
///
/// A page may load only from its own host, which fetches with the SDK's gated transport.
public struct SurfaceMedia: Codable, Hashable, Sendable {
    private enum Source: Codable, Hashable, Sendable {
        case host(prefix: String)
        case direct
    }

    private let source: Source

    /// Through the page's host at `media?u=<address>`, relative to the page; the default everywhere.
    public static let throughHost = SurfaceMedia(source: .host(prefix: "media?u="))

    /// From the address itself: for a preview whose own policy allows it.
    public static let direct = SurfaceMedia(source: .direct)

    /// Through a host at another place: the percent-encoded address follows the prefix.
    public static func through(prefix: String) -> SurfaceMedia { SurfaceMedia(source: .host(prefix: prefix)) }

    /// What the page asks for; `nil` when the address is not http or https.
    public func source(of address: String) -> String? {
        guard let address = LinkTarget.web(address) else { return nil }
        switch source {
        case .direct: return address
        case .host(let prefix): return prefix + PercentEncoding.component(address)
        }
    }
}
