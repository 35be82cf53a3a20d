import Foundation
@_spi(Inlay) public import InlaySurface
@_spi(Inlay) import InlayWire

/// The URLs of surfaces' pages, below a token that other programs and documents cannot guess.
@_spi(Inlay) public struct SurfaceAddresses: Sendable {
    /// The token in the URLs of pages.
    let pageToken = AccessToken()
    /// The token in the URLs of content. A script in a frame knows its own URL; with this token it can request content,
    /// but neither pages nor fetched media.
    let contentToken = AccessToken()
    /// The files of each surface's page, by the surface's name.
    public let assets: [String: SurfaceAssets]

    /// Creates URLs for surfaces by their names, with new tokens.
    public init(_ assets: [String: SurfaceAssets]) { self.assets = assets }

    /// The path below which the pages are; ends with a slash.
    public var prefix: String { "/\(pageToken.text)/" }

    /// Returns the path of a surface's page.
    public func page(of surface: String) -> String { prefix + Self.encoded(surface) + "/" }

    /// Returns the path below which a surface's content is; ends with a slash.
    public func content(of surface: String) -> String { "/\(contentToken.text)/\(Self.encoded(surface))/" }

    /// Returns the target of a request with a path and query such as `/<token>/cards/home/surface.js`.
    public func target(of target: String) -> SurfaceRequestTarget {
        let parts = target.unicodeScalars.split(
            separator: "?", maxSplits: 1, omittingEmptySubsequences: false
        ).map { String($0) }
        guard let path = parts.first, path.utf8.first == UInt8(ascii: "/"),
            let segments = Self.decoded(path), let guess = segments.first, segments.count > 1
        else { return .nothing }
        let query = parts.count > 1 ? parts[1] : ""
        if contentToken.matches(guess) {
            return contentTarget(segments.dropFirst().joined(separator: "/"), query: query)
        }
        guard pageToken.matches(guess) else { return .nothing }
        return pageTarget(Array(segments.dropFirst()), query: query)
    }

    private func pageTarget(_ segments: [String], query: String) -> SurfaceRequestTarget {
        let file = segments.last ?? ""
        let folder = segments.dropLast().joined(separator: "/")
        if let assets = assets[folder] {
            if file.isEmpty { return .page(surface: folder) }
            if file == "media" { return mediaTarget(query) }
            if assets.names.contains(file) { return .asset(surface: folder, name: file) }
        }
        if folder.isEmpty, file == "media" { return mediaTarget(query) }
        return .other(segments)
    }

    private func contentTarget(_ path: String, query: String) -> SurfaceRequestTarget {
        // The longest name counts: one surface may be called "cards", another "cards/home".
        let surfaces = assets.keys.filter { path.utf8.starts(with: "\($0)/".utf8) }
        guard let surface = surfaces.max(by: { $0.utf8.count < $1.utf8.count }) else { return .nothing }
        let file = String(Substring(path.utf8.dropFirst(surface.utf8.count + 1)))
        for name in assets[surface]?.frameNames ?? [] where file == "~/\(name)" {
            return .frameAsset(surface: surface, name: name)
        }
        if file == FrameRules.outsidePath {
            return Self.requestedURL(query).map { .outside(surface: surface, address: $0) } ?? .nothing
        }
        return file.isEmpty ? .nothing : .content(surface: surface, path: file)
    }

    /// Returns the decoded parameter `u` of the query.
    private static func requestedURL(_ query: String) -> String? {
        query.split(separator: "&").first { $0.hasPrefix("u=") }?.dropFirst(2).removingPercentEncoding
    }

    private func mediaTarget(_ query: String) -> SurfaceRequestTarget {
        guard let text = Self.requestedURL(query), let url = WebAddress.url(text) else { return .nothing }
        return .media(url)
    }

    /// Returns the decoded segments of a path that begins with a slash; `nil` when one of them could lead a host that
    /// reads files out of its folder.
    private static func decoded(_ path: String) -> [String]? {
        let segments = path.pathParts.dropFirst().map { $0.removingPercentEncoding }
        let isSafe = segments.allSatisfy { segment in
            guard let segment, segment != ".", segment != ".." else { return false }
            return !segment.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") || $0 < 0x20 }
        }
        return isSafe ? segments.compactMap(\.self) : nil
    }

    /// Returns a surface's name as a path; its slashes are kept.
    public static func encoded(_ name: String) -> String {
        var allowed = CharacterSet.urlPathAllowed
        allowed.remove(charactersIn: "?#%;")
        return name.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
    }
}
