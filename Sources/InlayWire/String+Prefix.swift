extension String {
    /// Returns the first Unicode scalars of the text, at most `maximum`.
    ///
    /// `prefix(_:)` counts characters, each of which may have any number of combining marks, so it does not limit the
    /// size of untrusted text. The server has the same method for its own package.
    package func prefix(scalars maximum: Int) -> String { String(unicodeScalars.prefix(maximum)) }
}
