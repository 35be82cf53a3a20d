/// The token that a URL must contain: 32 random bytes, new in every run.
@_spi(Inlay) public struct AccessToken: Sendable {
    /// The token as 64 hexadecimal digits.
    public let text: String

    /// Creates a new token.
    public init() {
        var generator = SystemRandomNumberGenerator()
        let digits = Array("0123456789abcdef")
        text = String((0..<64).map { _ in digits[Int(generator.next() & 15)] })
    }

    /// Whether the guess is the token. The comparison takes constant time, so that the time does not reveal how much of
    /// the guess was right.
    public func matches(_ guess: some StringProtocol) -> Bool {
        let right = Array(text.utf8)
        let given = Array(guess.utf8)
        guard right.count == given.count else { return false }
        return zip(right, given).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
