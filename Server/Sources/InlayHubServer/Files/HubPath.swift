@_spi(Inlay) import InlayWire

/// The rules for paths of files in a source.
///
/// Paths are in lower-case ASCII, so that each file has one spelling, and every file system, archive and browser
/// distinguishes the same paths.
package enum HubPath {
    /// Whether the path is `/`-separated parts of `a-z`, `0-9`, `-`, `_`, `.`, none of them hidden or empty.
    package static func isSafe(_ path: String) -> Bool {
        guard (1...200).contains(path.utf8.count) else { return false }
        let parts = path.pathParts
        return parts.count <= 8 && parts.allSatisfy(isSafePart)
    }

    /// Whether the path is a safe one below `assets/` to a kind of file that a source may contain. Names that begin
    /// with `inlay-` are reserved.
    package static func isAsset(_ path: String) -> Bool {
        path.hasPrefix("assets/") && isSafe(path) && HubMedia(path: path) != nil
            && !path.hasPrefix("assets/inlay-")
    }

    /// Whether the path is that of a page template. Templates are not published themselves.
    package static func isTemplate(_ path: String) -> Bool {
        ["templates/article.html", "templates/hub.html", "templates/channel.html"].contains(path)
    }

    private static func isSafePart(_ part: Substring) -> Bool {
        guard let first = part.utf8.first, first != UInt8(ascii: "."), part.utf8.last != UInt8(ascii: ".")
        else {
            return false
        }
        return part.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
        }
    }

    /// Returns the path with the hash before the file name, as in the consistent snapshots of TUF.
    package static func hashed(_ path: String, _ hash: String) -> String {
        var parts = path.pathParts.map(String.init)
        parts[parts.count - 1] = hash + "." + parts[parts.count - 1]
        return parts.joined(separator: "/")
    }

    /// Returns the path and hash of a result of ``hashed(_:_:)``; `nil` for any other text.
    package static func unhashed(_ address: String) -> (path: String, hash: String)? {
        var parts = address.pathParts.map(String.init)
        guard let last = parts.last, let dot = last.firstIndex(of: ".") else { return nil }
        let hash = String(last[..<dot])
        guard isHash(hash) else { return nil }
        parts[parts.count - 1] = String(last[last.index(after: dot)...])
        let path = parts.joined(separator: "/")
        return isSafe(path) ? (path, hash) : nil
    }

    /// Whether the text is a SHA-256 in lower-case hex.
    package static func isHash(_ text: String) -> Bool {
        text.utf8.count == 64
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
