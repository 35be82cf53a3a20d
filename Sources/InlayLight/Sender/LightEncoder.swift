/// An encoder from a payload to the levels of a flashing square, one level per symbol.
///
/// The blocks are sent in a cycle (a carousel): first the data blocks, then coded blocks up to block 255, then all
/// again. A receiver needs any different blocks, as many as there are data blocks.
public struct LightEncoder: Equatable, Sendable {
    /// The encoded payload: version, fields, zeros and check; a multiple of twelve bytes.
    public let bytes: [UInt8]

    /// - Throws: `LightError` when a field has a wrong length, or all do not fit.
    public init(_ payload: LightPayload) throws(LightError) {
        try self.init(content: [LightLink.version] + payload.fields())
    }

    /// Encodes a payload that only the device with this secret can read.
    ///
    /// - Parameters:
    ///   - secret: The secret that is printed on the device, at least ten random bytes. The link has no reply, so a
    ///     shorter secret could be found by trying all on a recording.
    ///   - salt: Eight bytes that are used only once with this secret; random when `nil`.
    /// - Throws: `LightError` when a field has a wrong length, all do not fit, or the secret is weak.
    public init(
        _ payload: LightPayload, sealedWith secret: [UInt8], salt: [UInt8]? = nil
    ) throws(LightError) {
        guard secret.count >= LightSeal.secretBytes else { throw .weakSecret }
        let fields = try payload.fields()
        let blocks = Self.blocks(forContent: 1 + LightSeal.overhead + fields.count)
        guard blocks <= LightLink.maximumBlocks else { throw .tooLong }
        let count = blocks * LightLink.blockData - LightLink.checkBytes
        let first = [LightLink.version | LightLink.sealedFlag]
        let salt = salt ?? (0..<LightSeal.saltBytes).map { _ in UInt8.random(in: 0...255) }
        guard salt.count == LightSeal.saltBytes else { throw .weakSecret }
        var content = first + salt + fields
        // The zeros after the fields are sealed too: their number would reveal the password's length.
        content += [UInt8](repeating: 0, count: count - content.count)
        Self.seal(&content, secret)
        try self.init(content: content)
    }

    private static func seal(_ content: inout [UInt8], _ secret: [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: LightSeal.words) { words in
            content.withUnsafeMutableBufferPointer { bytes in
                secret.withUnsafeBufferPointer { secret in
                    guard let words = words.baseAddress, let start = bytes.baseAddress,
                        let key = secret.baseAddress
                    else { return }
                    LightSeal(words, secret: key, count: secret.count, salt: start + 1)
                        .close(start, bytes.count)
                }
            }
        }
    }

    /// Encodes a content without padding and check.
    init(content: [UInt8]) throws(LightError) {
        let blocks = Self.blocks(forContent: content.count)
        guard blocks <= LightLink.maximumBlocks else { throw .tooLong }
        let padding = blocks * LightLink.blockData - LightLink.checkBytes - content.count
        let checked = content + [UInt8](repeating: 0, count: padding)
        let check = ~checked.reduce(LightCheck.start32, LightCheck.crc32)
        bytes = checked + (0..<4).map { UInt8(truncatingIfNeeded: check >> (24 - 8 * $0)) }
    }

    /// Takes bytes that are sent unchanged, with or without a valid check.
    init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    /// Returns the number of blocks for `count` bytes and the check.
    static func blocks(forContent count: Int) -> Int {
        (count + LightLink.checkBytes + LightLink.blockData - 1) / LightLink.blockData
    }

    /// The number of data blocks. A receiver needs this many different blocks.
    public var blockCount: Int { bytes.count / LightLink.blockData }

    /// Returns the body of a block as it is sent: header, data and check, whitened.
    public func block(_ id: UInt8) -> [UInt8] {
        // The tag is taken from the check: a changed payload rarely has the same tag as the previous one, so a receiver
        // notices the change and starts again.
        let tag = bytes[bytes.count - LightLink.checkBytes] & 0xF0
        var body = [tag | UInt8(blockCount - 1), id] + data(id)
        let check = body.reduce(LightCheck.start24, LightCheck.crc24)
        body += [check >> 16, check >> 8, check].map { UInt8(truncatingIfNeeded: $0) }
        var whitening = Whitening()
        return body.map { $0 ^ whitening.next() }
    }

    private func data(_ id: UInt8) -> [UInt8] {
        var sum = [UInt8](repeating: 0, count: LightLink.blockData)
        for column in 0..<blockCount {
            let factor = GaloisField.coefficient(
                id: id, column: UInt8(column), blocks: UInt8(blockCount))
            for place in 0..<LightLink.blockData where factor != 0 {
                sum[place] ^= GaloisField.product(factor, bytes[column * LightLink.blockData + place])
            }
        }
        return sum
    }

    /// Returns the first `count` levels (0, 1, 2), beginning with the lead-in; before them the square is dark (0). With
    /// one level per symbol, 5,400 last 90 s at 60 symbols per second.
    ///
    /// No two successive levels are equal, except perhaps where a list that is played twice starts again; that costs a
    /// receiver one block.
    public func levels(count: Int = 5_400) -> [UInt8] {
        var levels: [UInt8] = []
        levels.reserveCapacity(count + LightLink.blockSymbols)
        var level: UInt8 = 0
        func show(_ bits: UInt32, _ width: Int) {
            for place in (0..<width).reversed() {
                level = LightLink.level(after: level, bit: UInt8(bits >> place & 1))
                levels.append(level)
            }
        }
        show(.max, LightLink.leadIn)
        var id: UInt8 = 0
        while levels.count < count {
            show(UInt32(LightLink.sync), LightLink.syncSymbols)
            for byte in block(id) { show(UInt32(byte), 8) }
            id &+= 1
        }
        return Array(levels.prefix(count))
    }
}
