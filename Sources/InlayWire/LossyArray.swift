/// An array that skips the elements that cannot be decoded.
///
/// It keeps the error of each skipped element. One bad card, or an element of a newer server, does not make the rest of
/// the response unreadable.
@_spi(Inlay) public struct LossyArray<Element> {
    /// The elements that could be read, in order.
    public var elements: [Element]

    /// The reason why each skipped element could not be read, in order.
    public var skipped: [String]

    /// An array with nothing skipped.
    public init(_ elements: [Element]) {
        self.elements = elements
        skipped = []
    }
}

extension LossyArray: Sendable where Element: Sendable {}
extension LossyArray: Equatable where Element: Equatable {}
extension LossyArray: Hashable where Element: Hashable {}

extension LossyArray: Decodable where Element: Decodable {
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        self.init([])
        while !container.isAtEnd {
            // Decoding through `Attempt` always consumes the element; a throwing decode would leave
            // the container where it was and loop for ever.
            let attempt = try container.decode(Attempt<Element>.self)
            switch attempt.result {
            case .success(let element): elements.append(element)
            case .failure(let error): skipped.append(String(describing: error))
            }
        }
    }
}

extension LossyArray: Encodable where Element: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(elements)
    }
}

private struct Attempt<Element: Decodable>: Decodable {
    let result: Result<Element, any Error>

    init(from decoder: any Decoder) throws {
        result = Result { try Element(from: decoder) }
    }
}
