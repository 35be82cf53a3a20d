/// The rule for ids that apps, backends and devices choose, those of users, events and cards: the same in the SDK and
/// in every feature of the server.
@_spi(Inlay) public enum IDRule {
    /// The maximum length of an id, in characters.
    public static let maximumCharacters = 128
    /// The maximum length of an id, in bytes of UTF-8: a bound for characters of many code points.
    public static let maximumBytes = 512

    /// Whether a text can be an id: 1 to 128 characters in at most 512 bytes, without control characters.
    public static func admits(_ text: String) -> Bool {
        // Control characters are Unicode's Cc, which no version of it changes.
        text.utf8.count <= maximumBytes && (1...maximumCharacters).contains(text.count)
            && !text.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
    }

    /// The rule for the claim of a token that names a user, as a sentence without its end.
    public static let inTokens =
        "a text of 1 to \(maximumCharacters) characters, at most \(maximumBytes) bytes, without control characters, "
        + "or a whole number of 64 bits"

    /// Whether a token of an app can name a user so. Ids of device accounts are the server's to give.
    static func admitsInToken(_ text: String) -> Bool {
        admits(text) && !text.hasPrefix(DeviceAccount.userID(of: ""))
    }
}
