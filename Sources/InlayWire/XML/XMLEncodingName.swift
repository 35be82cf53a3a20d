/// The names of encodings that a document may declare.
///
/// By the time a declaration is read, its bytes are known to be UTF-8, as they came or decoded from UTF-16 by their byte
/// order mark. So it may name either of the two, or US-ASCII, which is a part of UTF-8. Any other name means that the
/// text behind the declaration would be read wrong.
enum XMLEncodingName {
    // In lower case; the aliases are those of the IANA register and of the Encoding Standard.
    private static let read: Set<String> = [
        "utf-8", "utf8", "csutf8", "unicode-1-1-utf-8",
        "utf-16", "utf16", "utf-16le", "utf-16be", "csutf16", "csutf16le", "csutf16be",
        "us-ascii", "ascii", "us", "iso646-us", "iso_646.irv:1991", "iso-ir-6", "ansi_x3.4-1968",
        "ansi_x3.4-1986", "ibm367", "cp367", "csascii",
    ]

    /// Whether a document that declares this encoding is read; case does not count.
    static func isRead(_ name: some StringProtocol) -> Bool { read.contains(name.lowercased()) }
}
