/// The rule for ids of users, events and cards, which apps, backends and devices choose; the same in the SDK and in
/// every feature of the server.
@_spi(Inlay) public enum IDRule {
    /// The maximum length of an id, in characters.
    public static let maximumCharacters = 128
    /// The maximum length of an id, in bytes of UTF-8; it bounds characters of many code points.
    public static let maximumBytes = 512

    /// Whether a text can be an id: 1 to 128 characters in at most 512 bytes, without control characters.
    public static func admits(_ text: String) -> Bool {
        // Control characters are Unicode's category Cc, which is the same in every version of Unicode.
        text.utf8.count <= maximumBytes && (1...maximumCharacters).contains(text.count)
            && !text.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
    }

    /// The rule for the claim with the user's id, as a sentence without its end.
    public static let inTokens =
        "a text of 1 to \(maximumCharacters) characters, at most \(maximumBytes) bytes, without control characters, "
        + "or a whole number of 64 bits"

    /// Whether an app's token may contain this user id. Only the server may issue the ids of device accounts.
    static func admitsInToken(_ text: String) -> Bool {
        admits(text) && !text.hasPrefix(DeviceAccount.userID(of: ""))
    }
}
