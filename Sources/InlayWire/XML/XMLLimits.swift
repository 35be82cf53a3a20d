/// Limits on reading an XML document; one that exceeds them is refused before it is parsed.
@_spi(Inlay) public struct XMLLimits: Hashable, Sendable {
    /// The bytes of the document.
    public var bytes: Int
    /// The maximum depth of nested elements; the root counts 1. At most 200, since trees are walked
    /// recursively.
    public var depth: Int
    /// The number of elements.
    public var elements: Int
    /// The attributes of one element.
    public var attributes: Int
    /// The bytes of one tag with its attributes.
    public var tagBytes: Int
    /// The bytes of the text directly inside one element.
    public var textBytes: Int

    /// Limits; the defaults hold an ordinary document: 256 KiB, 32 deep, 10,000 elements.
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

    /// For the XMLAPI, whose answers and rows can be long: 1 MiB, 50,000 elements.
    public static let xmlapi = XMLLimits(bytes: 1 << 20, elements: 50_000, textBytes: 256 << 10)
}
