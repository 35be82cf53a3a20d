import Foundation
@_spi(Inlay) public import InlaySurface
@_spi(Inlay) import InlayWire

/// The addresses of the pages of some surfaces, below a secret that other programs and documents cannot guess.
@_spi(Inlay) public struct SurfaceAddresses: Sendable {
    /// The token in the addresses of pages.
    let secret = Secret()
    /// The token in the addresses of content, in place of the access token. A script in a frame knows its own address;
    /// with this token it can request content, but neither pages nor pictures from elsewhere.
    let contentSecret = Secret()
    /// The files of each surface's page, by the surface's name.
    public let assets: [String: SurfaceAssets]

    /// Addresses for surfaces by their names, with new secrets.
    public init(_ assets: [String: SurfaceAssets]) { self.assets = assets }

    /// The path below which the pages are, from the host's root; ends with a slash.
    public var prefix: String { "/\(secret.text)/" }

    /// The path of a surface's page.
    public func page(of surface: String) -> String { prefix + Self.encoded(surface) + "/" }

    /// The path below which a surface's content is; ends with a slash.
    public func content(of surface: String) -> String { "/\(contentSecret.text)/\(Self.encoded(surface))/" }

    /// The place of a request target such as `/<secret>/cards/home/surface.js`.
    public func place(of target: String) -> SurfaceRequestTarget {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let path = parts.first, path.hasPrefix("/"),
            let segments = Self.decoded(path.dropFirst()), let guess = segments.first, segments.count > 1
        else { return .nothing }
        let query = parts.count > 1 ? String(parts[1]) : ""
        if contentSecret.matches(guess) {
            return content(segments.dropFirst().joined(separator: "/"), query: query)
        }
        guard secret.matches(guess) else { return .nothing }
        return inside(Array(segments.dropFirst()), query: query)
    }

    private func inside(_ segments: [String], query: String) -> SurfaceRequestTarget {
        let file = segments.last ?? ""
        let folder = segments.dropLast().joined(separator: "/")
        if let assets = assets[folder] {
            if file.isEmpty { return .page(surface: folder) }
            if file == "media" { return media(query) }
            if assets.names.contains(file) { return .asset(surface: folder, name: file) }
        }
        if folder.isEmpty, file == "media" { return media(query) }
        return .other(segments)
    }

    private func content(_ path: String, query: String) -> SurfaceRequestTarget {
        guard let (surface, assets) = assets.first(where: { path.hasPrefix($0.key + "/") }) else {
            return .nothing
        }
        let file = String(path.dropFirst(surface.count + 1))
        for name in assets.frameNames where file == "~/\(name)" {
            return .frameAsset(surface: surface, name: name)
        }
        if file == FrameRules.outsidePath {
            return Self.address(query).map { .outside(surface: surface, address: $0) } ?? .nothing
        }
        return file.isEmpty ? .nothing : .content(surface: surface, path: file)
    }

    /// The query's `u` in clear.
    private static func address(_ query: String) -> String? {
        query.split(separator: "&").first { $0.hasPrefix("u=") }?.dropFirst(2).removingPercentEncoding
    }

    private func media(_ query: String) -> SurfaceRequestTarget {
        guard let text = Self.address(query), let url = WebAddress.url(text) else { return .nothing }
        return .media(url)
    }

    /// The segments in clear; `nil` when one of them could lead a host that reads files out of its folder.
    private static func decoded(_ path: Substring) -> [String]? {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).map {
            $0.removingPercentEncoding
        }
        let isSafe = segments.allSatisfy { segment in
            guard let segment, segment != ".", segment != ".." else { return false }
            return !segment.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") || $0 < 0x20 }
        }
        return isSafe ? segments.compactMap(\.self) : nil
    }

    /// A surface's name as a path: its slashes stay.
    public static func encoded(_ name: String) -> String {
        var allowed = CharacterSet.urlPathAllowed
        allowed.remove(charactersIn: "?#%;")
        return name.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
    }
}
