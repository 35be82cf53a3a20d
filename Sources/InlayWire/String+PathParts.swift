extension String {
    /// The parts of a path between its slashes, also empty ones.
    ///
    /// File systems, servers and browsers separate at every slash. `split` of a string does not separate at one that a
    /// combining mark follows: the two are one character.
    @_spi(Inlay) public var pathParts: [Substring] {
        unicodeScalars.split(separator: "/", omittingEmptySubsequences: false).map { Substring($0) }
    }
}
