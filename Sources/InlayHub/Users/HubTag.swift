/// A tag, compared by its bytes: two texts that only look alike are two tags, but equal as strings.
package struct HubTag: Hashable, Sendable {
    /// The UTF-8 bytes of the tag.
    package let bytes: [UInt8]

    package init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }
    package init(_ text: String) { self.init(bytes: text.utf8) }
}
