#if hasFeature(Embedded)
    // One receiver for firmware in C: its memory is static, and these functions are all that C needs.
    // They are called from one place, a timer's interrupt or a loop, so nothing guards them.

    private typealias Chunk = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)
    private typealias Workspace = (
        Chunk, Chunk, Chunk, Chunk, Chunk, Chunk, Chunk, Chunk, Chunk, Chunk, Chunk, Chunk
    )
    private let chunk: Chunk = (0, 0, 0, 0, 0, 0, 0, 0)
    nonisolated(unsafe) private var workspace: Workspace = (
        chunk, chunk, chunk, chunk, chunk, chunk, chunk, chunk, chunk, chunk, chunk, chunk
    )
    nonisolated(unsafe) private var receiver: LightReceiver? = nil

    /// Starts to listen, or forgets everything and listens anew. `samplesPerMillisecond` is 1 or 2.
    @_cdecl("inlay_light_start")
    public func lightStart(_ samplesPerMillisecond: UInt8) {
        withUnsafeMutablePointer(to: &workspace) { memory in
            receiver = LightReceiver(
                workspace: UnsafeMutableRawPointer(memory), samplesPerMillisecond: samplesPerMillisecond)
        }
    }

    /// Takes one reading of the converter. Returns 0 nothing, 1 a block, 2 the payload is complete, 3 refused.
    @_cdecl("inlay_light_take")
    public func lightTake(_ sample: UInt16) -> UInt8 { receiver?.take(sample).rawValue ?? 0 }

    /// Finds a field once the payload is complete. Returns where its bytes are, and their number in `count`, which is 0
    /// when it is not there: always for a payload of another version, and for a sealed one before it was opened.
    @_cdecl("inlay_light_field")
    public func lightField(
        _ type: UInt8, _ count: UnsafeMutablePointer<UInt8>
    ) -> UnsafePointer<UInt8>? {
        guard let fields = receiver?.fields, let end = receiver?.fieldCount else { return nil }
        let range = LightField.find(type, in: fields, from: 0, to: end)
        count.pointee = UInt8(truncatingIfNeeded: range.count)
        return fields + range.lowerBound
    }

    /// Opens a sealed payload with the device's secret of at least ten bytes. Returns 1 when that went well; fields
    /// can be found from then on. Firmware that never calls this does not carry it.
    @_cdecl("inlay_light_open")
    public func lightOpen(_ secret: UnsafePointer<UInt8>, _ count: UInt8) -> UInt8 {
        receiver?.open(secret: secret, count: Int(count)) == true ? 1 : 0
    }
#endif
