import Foundation

/// Regular expressions of authors, run with a limit on everything.
///
/// The engine backtracks, so a careless pattern can take exponential time on a text of forty letters. It
/// reports progress, and after the time limit it is stopped.
@_spi(Inlay) public enum BoundedPattern {
    /// Longer patterns are not used.
    public static let maximumPatternLength = 1_000
    /// Longer texts match nothing.
    public static let maximumTextLength = 4_096
    static let timeLimit: TimeInterval = 0.1

    /// Whether the engine understands the pattern; a server refuses to publish one that it does not.
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
        // The pattern alone must be sound; only then is it safe to put something around it.
        guard let alone = try? NSRegularExpression(pattern: pattern) else { return nil }
        return (try? NSRegularExpression(pattern: "(?:\(pattern))\\z")) ?? alone
    }
}
