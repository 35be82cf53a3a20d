/// Turns a payload into the levels of a flashing patch, one level for each symbol.
///
/// The blocks go round like a carousel: first the payload itself, then coded blocks, up to block 255, and then
/// from the start. A receiver that missed some needs any others, as many as there are data blocks.
public struct LightEncoder: Equatable, Sendable {
    /// The payload as it travels: version, fields, zeros, check; a multiple of twelve bytes.
    public let bytes: [UInt8]

    /// - Throws: `LightError` when a field has a wrong length, or all do not fit.
    public init(_ payload: LightPayload) throws(LightError) {
        try self.init(content: [LightLink.version] + payload.fields())
    }

    /// A payload that only the device with this secret can read.
    ///
    /// - Parameters:
    ///   - secret: What is printed on the device, at least ten random bytes: light goes one way, so a shorter
    ///     one can be searched for in a recording.
    ///   - salt: Eight bytes that are used once with this secret; random ones when `nil`.
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
        // Zeros behind the fields are sealed with them: their number would reveal the password's length.
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

    /// A payload from its bytes before padding and check.
    init(content: [UInt8]) throws(LightError) {
        let blocks = Self.blocks(forContent: content.count)
        guard blocks <= LightLink.maximumBlocks else { throw .tooLong }
        let padding = blocks * LightLink.blockData - LightLink.checkBytes - content.count
        let checked = content + [UInt8](repeating: 0, count: padding)
        let check = ~checked.reduce(LightCheck.start32, LightCheck.crc32)
        bytes = checked + (0..<4).map { UInt8(truncatingIfNeeded: check >> (24 - 8 * $0)) }
    }

    /// Bytes that are sent as they are, with whatever check they have.
    init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    /// The number of blocks for that many bytes and the check.
    static func blocks(forContent count: Int) -> Int {
        (count + LightLink.checkBytes + LightLink.blockData - 1) / LightLink.blockData
    }

    /// The number of data blocks: so many different blocks are enough.
    public var blockCount: Int { bytes.count / LightLink.blockData }

    /// The body of a block of the carousel as it travels: header, data and check, whitened.
    public func block(_ id: UInt8) -> [UInt8] {
        // The tag comes from the check: a changed payload seldom has the one of the payload before it, so that
        // a receiver starts anew.
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

    /// The first `count` levels (0, 1, 2) to show, the lead-in first; before them the patch is dark (0). Shown
    /// one a symbol, 5,400 last for 90 s of 60 symbols a second.
    ///
    /// No level follows itself. A list that is played twice may break that at its seam, which costs a receiver
    /// one block and nothing more.
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
