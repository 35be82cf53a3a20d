/// A receiver that decodes a payload from the samples of a photodiode.
///
/// No heap, no Foundation, no floating point, no division: the same source runs in an app and on a microcontroller.
/// Each sample takes a bounded time; call `take` for every sample, in order, from one thread. Two filters run in
/// parallel: a fast one for fast panels, and one of 10 ms, which removes the ripple of lamps on 50 Hz mains. Blocks of
/// both are collected together.
public struct LightReceiver: ~Copyable {
    /// The number of bytes that `init(workspace:)` needs.
    public static let workspaceBytes = sampleBytes + 2 * SymbolRing.bytes + Fountain.bytes + 20
    private static let sampleBytes = 128

    /// The result of a sample.
    public enum Outcome: UInt8, Sendable {
        /// Nothing new.
        case nothing
        /// A valid block was received; it may be one that is known already.
        case block
        /// The payload is complete and its check is valid. The receiver ignores further samples until `reset()`.
        case complete
        /// All blocks were received, but the payload's check failed: they are discarded, and collecting starts again.
        case refused
    }

    let workspace: UnsafeMutableRawPointer
    private let ownsWorkspace: Bool
    private let samples: UnsafeMutablePointer<UInt16>
    private let body: UnsafeMutablePointer<UInt8>
    private var quick: Track
    private var slow: Track
    var fountain: Fountain
    private var place: UInt8 = 0
    /// Whether the payload is complete.
    public private(set) var isComplete = false
    var isOpened = false

    /// - Parameters:
    ///   - workspace: `workspaceBytes` bytes of any content, aligned to 8, that no other code uses while the receiver
    ///     is used.
    ///   - samplesPerMillisecond: 1 or 2; 2 for screens that show 120 symbols per second.
    public init(workspace: UnsafeMutableRawPointer, samplesPerMillisecond: UInt8 = 1) {
        self.init(workspace: workspace, owned: false, samplesPerMillisecond: samplesPerMillisecond)
    }

    init(workspace: UnsafeMutableRawPointer, owned: Bool, samplesPerMillisecond: UInt8) {
        let bytes = workspace.initializeMemory(as: UInt8.self, repeating: 0, count: Self.workspaceBytes)
        let rings = bytes + Self.sampleBytes
        let scale: UInt8 = samplesPerMillisecond > 1 ? 2 : 1
        self.workspace = workspace
        ownsWorkspace = owned
        samples = workspace.assumingMemoryBound(to: UInt16.self)
        quick = Track(length: 4 * scale, lag: 3 * scale, guessesEven: true, memory: rings)
        slow = Track(length: 10 * scale, lag: 5 * scale, guessesEven: false, memory: rings + SymbolRing.bytes)
        fountain = Fountain(memory: rings + 2 * SymbolRing.bytes)
        body = rings + 2 * SymbolRing.bytes + Fountain.bytes
    }

    deinit {
        #if !hasFeature(Embedded)
            if ownsWorkspace { workspace.deallocate() }
        #endif
    }

    /// Processes one sample of the converter. More light must be a higher number; no scaling is needed.
    public mutating func take(_ sample: UInt16) -> Outcome {
        if isComplete { return .complete }
        var outcome = Outcome.nothing
        if quick.take(sample, samples, place, body, known: fountain.known) { outcome = collect() }
        if slow.take(sample, samples, place, body, known: fountain.known) {
            outcome = later(outcome, collect())
        }
        samples[Int(place & 63)] = sample
        place &+= 1
        return outcome
    }

    private func later(_ one: Outcome, _ other: Outcome) -> Outcome {
        one.rawValue > other.rawValue ? one : other
    }

    private mutating func collect() -> Outcome {
        fountain.add(body)
        guard fountain.isFull else { return .block }
        var check = LightCheck.start32
        var index = 0
        while index < count &- LightLink.checkBytes {
            check = LightCheck.crc32(check, fountain.data[index])
            index &+= 1
        }
        check = ~check
        while index < count {
            if fountain.data[index] != UInt8(truncatingIfNeeded: check &>> 24) {
                fountain.clear()
                return .refused
            }
            check &<<= 8
            index &+= 1
        }
        isComplete = true
        return .complete
    }

    private var count: Int { Int(fountain.needed) &* LightLink.blockData }

    /// The number of known blocks of the payload.
    public var blocksReceived: UInt8 { fountain.count }

    /// The number of blocks of the payload; meaningful once one was received.
    public var blocksNeeded: UInt8 { fountain.needed }

    /// The number of bytes before the end check.
    var sealedCount: Int { count &- LightLink.checkBytes }

    /// The number of bytes of the fields; 0 until the payload is complete, for a payload of another version, and for a
    /// sealed one that was not opened.
    public var fieldCount: Int { isComplete && isReadable ? sealedCount &- (isOpened ? 25 : 1) : 0 }

    /// The payload's fields (see `LightField.find`); sealed ones must be opened first. Valid until `reset()`.
    public var fields: UnsafePointer<UInt8> { UnsafePointer(fountain.data + (isOpened ? 9 : 1)) }

    /// The version in the lower half of the first byte; this receiver can read only fields of its own version.
    public var version: UInt8 { fountain.data[0] & 15 }

    /// Whether the fields can be read: they have this version, and are not sealed or were opened.
    var isReadable: Bool {
        (fountain.data[0] ^ LightLink.version) & (isOpened ? 15 : 15 | LightLink.sealedFlag) == 0
    }

    /// Whether the fields are sealed and were not opened.
    public var isSealed: Bool { fountain.data[0] & LightLink.sealedFlag != 0 && !isOpened }

    /// Discards the payload and all blocks, and starts to receive again.
    public mutating func reset() {
        fountain.clear()
        isComplete = false
        isOpened = false
    }
}
