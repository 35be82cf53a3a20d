@_spi(Inlay) import InlayWire

/// The rules for target paths: on the file systems of all devices, no two paths are the same file and none
/// leaves its folder.
@_spi(Inlay) public enum TargetPaths {
    /// The maximum length of a path, in bytes.
    static let maximumBytes = 1_024

    /// The maximum length of a part of a path, in bytes. It leaves space for the hash before the last part.
    static let maximumPartBytes = 120

    /// Throws `policy` unless the path is relative and plain: no empty part, `.`, `..`, backslash, colon,
    /// control character, or part with a space or a dot at its end.
    public static func check(_ path: String) throws(TrustError) {
        func refuse(_ why: String) -> TrustError { TrustError(.policy, why, file: path.prefix(scalars: 200)) }
        guard !path.isEmpty, path.utf8.count <= maximumBytes else {
            throw refuse("an empty or too long path")
        }
        for scalar in path.unicodeScalars where scalar.value < 0x20 || scalar.value == 0x7F {
            throw refuse("a control character in the path")
        }
        // Windows and old Mac systems treat these as separators, and invisible characters, such as marks of
        // the text's direction, make one path look like another.
        guard !path.unicodeScalars.contains(where: { "\\:".unicodeScalars.contains($0) || isInvisible($0) })
        else {
            throw refuse("a character with another meaning elsewhere")
        }
        for part in path.pathParts {
            guard !part.isEmpty, part != ".", part != ".." else {
                throw refuse("a part that leaves the folder")
            }
            let last = part.unicodeScalars.last
            guard last != ".", last != " ", part.utf8.count <= maximumPartBytes else {
                throw refuse("a part that some systems shorten")
            }
        }
    }

    /// Checks each path, that no two differ only in case or in the encoding of accents, and that no file's
    /// path is the folder of another's.
    public static func check(_ paths: [String]) throws(TrustError) {
        var seen: [String: String] = [:]
        for path in paths {
            try check(path)
            let folded = fold(path)
            if let other = seen[folded], !other.hasSameBytes(as: path) {
                throw TrustError(
                    .policy, "the same file as \(other.prefix(scalars: 200)) on some systems", file: path)
            }
            seen[folded] = path
        }
        for (folded, path) in seen {
            var folder = folded.unicodeScalars[...]
            while let slash = folder.lastIndex(of: "/") {
                folder = folder[..<slash]
                if seen[String(folder)] != nil {
                    throw TrustError(.policy, "lies inside another file", file: path)
                }
            }
        }
    }

    /// Returns the same text for paths that a file system may treat as one. Dictionary keys compare by
    /// canonical equivalence, which covers the encodings of accents.
    private static func fold(_ path: String) -> String {
        // Upper case first: "ß" and "SS" fold together then, as do the two lower-case sigmas.
        path.uppercased().lowercased()
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .format || scalar.properties.generalCategory == .lineSeparator
            || scalar.properties.generalCategory == .paragraphSeparator
    }
}
