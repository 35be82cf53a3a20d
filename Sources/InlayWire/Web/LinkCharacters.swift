/// The characters that a link may have, for the server that accepts it and the device that follows it.
@_spi(Inlay) public enum LinkCharacters {
    /// Whether all characters of an address may stand in a link.
    ///
    /// Browsers interpret control characters, white space and backslashes differently, and invisible characters
    /// (Unicode's category Cf) make one address look like another; no link may contain any of them. The joiners U+200C
    /// and U+200D are also invisible, but Persian words and family emoji contain them: after the scheme and the host, a
    /// joiner may follow any character that is not ASCII.
    public static func areSafe(in address: String) -> Bool {
        let scalars = address.unicodeScalars
        let pathStart = pathStart(of: scalars)
        var previous: Unicode.Scalar = " "
        for index in scalars.indices {
            let scalar = scalars[index]
            guard isVisible(scalar) || (index >= pathStart && joins(scalar, after: previous)) else {
                return false
            }
            previous = scalar
        }
        return true
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        return scalar.value > 0x20 && scalar != "\\" && !properties.isWhitespace
            && properties.generalCategory != .control && properties.generalCategory != .format
    }

    private static func joins(_ scalar: Unicode.Scalar, after previous: Unicode.Scalar) -> Bool {
        isJoiner(scalar) && !previous.isASCII && !isJoiner(previous)
    }

    private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\u{200C}" || scalar == "\u{200D}"
    }

    /// Returns the index after the scheme and the host.
    private static func pathStart(of scalars: String.UnicodeScalarView) -> String.Index {
        guard let colon = scalars.firstIndex(of: ":") else { return scalars.endIndex }
        let rest = scalars[scalars.index(after: colon)...]
        guard rest.starts(with: "//".unicodeScalars) else { return rest.startIndex }
        return rest.dropFirst(2).firstIndex { "/?#".unicodeScalars.contains($0) } ?? scalars.endIndex
    }
}
