/// Limits on reading a VAST document, and the rule for the addresses in it.
@_spi(Inlay) public struct VASTLimits: Hashable, Sendable {
    /// The bytes of a document; default 256 KiB.
    public var bytes: Int
    /// The maximum depth of nested elements; default 32.
    public var depth: Int
    /// The number of elements; default 10,000.
    public var elements: Int
    /// The bytes of one tag, and so of an attribute; default 8 KiB.
    public var attributeBytes: Int
    /// The bytes of an address; default 4 KiB.
    public var addressBytes: Int
    /// The addresses that are kept for one event of one ad; default 50.
    public var trackersPerEvent: Int
    /// The ads of one document; default 20.
    public var ads: Int
    /// The media files, icons or companions of one creative; default 50.
    public var files: Int
    /// Hosts that are also reached over plain http, for a server on the same machine; default none.
    public var cleartextHosts: Set<String>

    /// Creates limits; the defaults are for documents from untrusted servers.
    public init(
        bytes: Int = 256 << 10, depth: Int = 32, elements: Int = 10_000, attributeBytes: Int = 8 << 10,
        addressBytes: Int = 4 << 10, trackersPerEvent: Int = 50, ads: Int = 20, files: Int = 50,
        cleartextHosts: Set<String> = []
    ) {
        self.bytes = bytes
        self.depth = depth
        self.elements = elements
        self.attributeBytes = attributeBytes
        self.addressBytes = addressBytes
        self.trackersPerEvent = trackersPerEvent
        self.ads = ads
        self.files = files
        self.cleartextHosts = cleartextHosts
    }

    var xml: XMLLimits {
        XMLLimits(
            bytes: bytes, depth: depth, elements: elements, attributes: 64, tagBytes: attributeBytes,
            textBytes: 64 << 10)
    }

    /// Returns the address with https; with http only when its host is in ``cleartextHosts``.
    ///
    /// A request without TLS reveals to everybody on the network which user an ad was shown to.
    public func secured(_ address: WebAddress) throws(WebAddress.Refusal) -> WebAddress {
        guard address.isHTTP, !cleartextHosts.contains(address.host) else { return address }
        let secured = address.secured
        guard secured.text.utf8.count <= addressBytes else { throw .tooLong(addressBytes) }
        return secured
    }
}
