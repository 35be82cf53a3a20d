import Foundation
import InlaySurface

/// Says what a request's path stands for. Whatever it does not know is `nothing`, and looks the same
/// from outside as a wrong secret.
struct Router: Sendable {
    enum Place: Equatable {
        case page(surface: String)
        case asset(name: String)
        case media(URL)
        /// A file of a surface's own content.
        case content(surface: String, path: String)
        /// An address outside that a document of the content loads through its host.
        case outside(surface: String, address: String)
        /// The host's own part of every frame.
        case frameAsset(name: String)
        case socket(surface: String)
        case shell(path: String)
        case redirect(to: String)
        case nothing
    }

    let secret: Secret
    /// What the addresses of content hold instead of the secret. A script in a frame knows its own address;
    /// with this one it can ask for content, not for sockets or for pictures from elsewhere.
    let contentSecret: Secret
    let surfaces: Set<String>
    let shell: (@Sendable (String) -> BrowserContent?)?

    /// The place of a request target such as `/<secret>/cards/home/surface.js`.
    func place(of target: String) -> Place {
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

    private func inside(_ segments: [String], query: String) -> Place {
        let file = segments.last ?? ""
        let folder = segments.dropLast().joined(separator: "/")
        if surfaces.contains(folder) {
            switch file {
            case "": return .page(surface: folder)
            case "socket": return .socket(surface: folder)
            case "media": return media(query)
            case _ where SurfaceAssets.names.contains(file): return .asset(name: file)
            default: break
            }
        }
        if folder.isEmpty, file == "media" { return media(query) }
        if folder.isEmpty, SurfaceAssets.names.contains(file) { return .asset(name: file) }
        if shell != nil { return .shell(path: segments.joined(separator: "/")) }
        if folder.isEmpty, file.isEmpty, let first = surfaces.sorted().first {
            return .redirect(to: Self.encoded(first) + "/")
        }
        return .nothing
    }

    /// The path, from the host's root, below which a surface's content is; ends with a slash.
    func contentPrefix(of surface: String) -> String { "/\(contentSecret.text)/\(Self.encoded(surface))/" }

    private func content(_ path: String, query: String) -> Place {
        guard let surface = surfaces.first(where: { path.hasPrefix($0 + "/") }) else { return .nothing }
        let file = String(path.dropFirst(surface.count + 1))
        for name in SurfaceAssets.frameNames where file == "~/\(name)" { return .frameAsset(name: name) }
        if file == FrameRules.outsidePath {
            return Self.address(query).map { .outside(surface: surface, address: $0) } ?? .nothing
        }
        return file.isEmpty ? .nothing : .content(surface: surface, path: file)
    }

    /// The query's `u` in clear.
    private static func address(_ query: String) -> String? {
        query.split(separator: "&").first { $0.hasPrefix("u=") }?.dropFirst(2).removingPercentEncoding
    }

    private func media(_ query: String) -> Place {
        guard let text = Self.address(query), let url = URL(string: text),
            let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            url.host?.isEmpty == false
        else { return .nothing }
        return .media(url)
    }

    /// The segments in clear; `nil` when one of them could lead a shell that reads files out of its folder.
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
    static func encoded(_ name: String) -> String {
        var allowed = CharacterSet.urlPathAllowed
        allowed.remove(charactersIn: "?#%;")
        return name.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
    }
}
