import Foundation

/// A matcher for the regular expressions of card authors, with limits on the pattern, the text and the time.
///
/// The engine backtracks, so a careless pattern can take exponential time on a text of forty letters. The engine
/// reports progress, and is stopped after the time limit.
@_spi(Inlay) public enum BoundedPattern {
    /// The maximum length of a pattern, in Unicode scalars; a longer pattern is not usable.
    public static let maximumPatternLength = 1_000
    /// The maximum length of a text, in Unicode scalars; a longer text does not match.
    public static let maximumTextLength = 4_096
    static let timeLimit: TimeInterval = 0.1

    /// Whether the pattern is valid and not too long. The server publishes no card with an unusable pattern.
    public static func isUsable(_ pattern: String) -> Bool { compile(pattern) != nil }

    /// Whether the pattern matches the whole text. A pattern that is not usable matches everything: a mistake
    /// of the author must not lock users out.
    public static func matches(_ pattern: String, whole text: String) -> Bool {
        guard let expression = compile(pattern) else { return true }
        guard text.unicodeScalars.count <= maximumTextLength else { return false }
        let range = NSRange(text.startIndex..., in: text)
        let deadline = Date().addingTimeInterval(timeLimit)
        var isMatch = false
        expression.enumerateMatches(in: text, options: [.reportProgress, .anchored], range: range) {
            match, _, stop in
            if let match, match.range == range { isMatch = true }
            if match != nil || Date() > deadline { stop.pointee = true }
        }
        return isMatch
    }

    private static func compile(_ pattern: String) -> NSRegularExpression? {
        guard pattern.unicodeScalars.count <= maximumPatternLength else { return nil }
        // The pattern must be valid alone; otherwise the group around it could change its meaning.
        guard let alone = try? NSRegularExpression(pattern: pattern) else { return nil }
        return (try? NSRegularExpression(pattern: "(?:\(pattern))\\z")) ?? alone
    }
}
