/// Limits on reading a VAST document, and the rules for the addresses in it.
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
    public var plainHosts: Set<String>

    /// The limits for what comes from anywhere.
    public init(
        bytes: Int = 256 << 10, depth: Int = 32, elements: Int = 10_000, attributeBytes: Int = 8 << 10,
        addressBytes: Int = 4 << 10, trackersPerEvent: Int = 50, ads: Int = 20, files: Int = 50,
        plainHosts: Set<String> = []
    ) {
        self.bytes = bytes
        self.depth = depth
        self.elements = elements
        self.attributeBytes = attributeBytes
        self.addressBytes = addressBytes
        self.trackersPerEvent = trackersPerEvent
        self.ads = ads
        self.files = files
        self.plainHosts = plainHosts
    }

    var xml: XMLLimits {
        XMLLimits(
            bytes: bytes, depth: depth, elements: elements, attributes: 64, tagBytes: attributeBytes,
            textBytes: 64 << 10)
    }

    /// Whether an address may be kept: https, short enough, with a host, without white space inside.
    public func admits(_ address: String) -> Bool {
        var address = address
        return address.withUTF8 { admits($0) }
    }

    /// The address by which something of a document is fetched; `nil` where it may not be kept.
    ///
    /// An http address is requested with https and never otherwise: a request without TLS tells everybody on the network
    /// to whom an ad was shown.
    public func secured(_ address: String) -> String? {
        if admits(address) { return address }
        guard address.prefix(7).lowercased() == "http://" else { return nil }
        var rest = String(address.dropFirst(7))
        let host = rest.prefix { !"/?#".contains($0) }
        // The port of http means the port of https, as it does for a browser that upgrades.
        if host.hasSuffix(":80") {
            rest.removeSubrange(rest.index(host.endIndex, offsetBy: -3)..<host.endIndex)
        }
        let secured = "https://" + rest
        return admits(secured) ? secured : nil
    }

    private func admits(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count <= addressBytes, !bytes.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
            return false
        }
        if let host = Self.host(bytes, after: "https://") { return !host.isEmpty }
        guard !plainHosts.isEmpty, let host = Self.host(bytes, after: "http://") else { return false }
        return plainHosts.contains(String(decoding: host, as: UTF8.self).lowercased())
    }

    // The host alone: what stands before an @ would be somebody's name, and is nothing an ad may say.
    private static func host(
        _ bytes: UnsafeBufferPointer<UInt8>, after scheme: StaticString
    ) -> UnsafeBufferPointer<UInt8>? {
        let count = scheme.utf8CodeUnitCount
        guard bytes.count > count else { return nil }
        for index in 0..<count where bytes[index] | 0x20 != scheme.utf8Start[index] | 0x20 { return nil }
        var end = count
        while end < bytes.count, !endsHost(bytes[end]) { end += 1 }
        guard !bytes[count..<end].contains(UInt8(ascii: "@")) else {
            return UnsafeBufferPointer(rebasing: bytes[0..<0])
        }
        let port = bytes[count..<end].firstIndex(of: UInt8(ascii: ":")) ?? end
        return UnsafeBufferPointer(rebasing: bytes[count..<port])
    }

    private static func endsHost(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }
}
