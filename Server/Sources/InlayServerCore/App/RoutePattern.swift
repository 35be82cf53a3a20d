/// A path with places that may hold any segment: `v1/hub/:source/files/**`.
///
/// A segment that begins with `:` or `{`, or is `*`, stands for any one segment; `**` at the end stands for any number of
/// them, also for none.
package struct RoutePattern: Sendable {
    /// Its segments; written with or without a slash in front.
    package let segments: [Substring]

    /// The pattern of a text.
    package init(_ text: some StringProtocol) { segments = String(text).split(separator: "/") }

    /// Whether the path is one that the pattern means.
    package func matches(_ path: [Substring]) -> Bool {
        if let rest = segments.firstIndex(where: { $0.hasPrefix("**") }) {
            return path.count >= rest && zip(segments.prefix(rest), path).allSatisfy(Self.covers)
        }
        return segments.count == path.count && zip(segments, path).allSatisfy(Self.covers)
    }

    /// The pattern with `*` for each segment that may be any: two patterns that are the same then mean the same paths.
    package var withoutNames: String {
        segments.map { $0.replacing(/^:.*|\{[^}]*\}/, with: "*") }.joined(separator: "/")
    }

    private static func covers(_ pattern: Substring, _ segment: Substring) -> Bool {
        pattern == segment || pattern.hasPrefix("{") || pattern.hasPrefix(":") || pattern.hasPrefix("*")
    }
}
