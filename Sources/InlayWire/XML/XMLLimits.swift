/// Limits on reading an XML document; a document that exceeds them is refused.
@_spi(Inlay) public struct XMLLimits: Hashable, Sendable {
    /// The maximum number of bytes of the document.
    public var bytes: Int
    /// The maximum depth of nested elements, where the root counts 1; at most 200, because trees are traversed
    /// recursively.
    public var depth: Int
    /// The maximum number of elements.
    public var elements: Int
    /// The maximum number of attributes of one element.
    public var attributes: Int
    /// The maximum number of bytes of one tag with its attributes.
    public var tagBytes: Int
    /// The maximum number of bytes of the text directly inside one element.
    public var textBytes: Int

    /// Creates limits; the defaults suffice for an ordinary document: 256 KiB, 32 deep, 10,000 elements.
    public init(
        bytes: Int = 256 << 10, depth: Int = 32, elements: Int = 10_000, attributes: Int = 64,
        tagBytes: Int = 8 << 10, textBytes: Int = 64 << 10
    ) {
        self.bytes = bytes
        self.depth = min(depth, 200)
        self.elements = elements
        self.attributes = attributes
        self.tagBytes = tagBytes
        self.textBytes = textBytes
    }

    /// The limits of the XMLAPI, whose responses and rows can be long: 1 MiB, 50,000 elements.
    public static let xmlapi = XMLLimits(bytes: 1 << 20, elements: 50_000, textBytes: 256 << 10)
}
