#if hasFeature(Embedded)
    // The C interface for firmware: one receiver in static memory. The functions are not synchronized; call them from
    // one context only, a timer's interrupt or a loop.

    private typealias Chunk = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)
    private typealias Workspace = (
        Chunk, Chunk, Chunk, Chunk, Chunk, Chunk, Chunk, Chunk, Chunk, Chunk, Chunk, Chunk
    )
    private let chunk: Chunk = (0, 0, 0, 0, 0, 0, 0, 0)
    nonisolated(unsafe) private var workspace: Workspace = (
        chunk, chunk, chunk, chunk, chunk, chunk, chunk, chunk, chunk, chunk, chunk, chunk
    )
    nonisolated(unsafe) private var receiver: LightReceiver? = nil

    /// Starts the receiver, or resets it. `samplesPerMillisecond` is 1 or 2.
    @_cdecl("inlay_light_start")
    public func lightStart(_ samplesPerMillisecond: UInt8) {
        withUnsafeMutablePointer(to: &workspace) { memory in
            receiver = LightReceiver(
                workspace: UnsafeMutableRawPointer(memory), samplesPerMillisecond: samplesPerMillisecond)
        }
    }

    /// Processes one sample of the converter. Returns 0 for nothing new, 1 for a block, 2 when the payload is complete,
    /// 3 when it was refused.
    @_cdecl("inlay_light_take")
    public func lightTake(_ sample: UInt16) -> UInt8 { receiver?.take(sample).rawValue ?? 0 }

    /// Returns the address of a field's bytes once the payload is complete, and writes their number to `count`: 0 when
    /// the field is missing, the payload has another version, or it is sealed and was not opened.
    @_cdecl("inlay_light_field")
    public func lightField(
        _ type: UInt8, _ count: UnsafeMutablePointer<UInt8>
    ) -> UnsafePointer<UInt8>? {
        guard let fields = receiver?.fields, let end = receiver?.fieldCount else { return nil }
        let range = LightField.find(type, in: fields, from: 0, to: end)
        count.pointee = UInt8(truncatingIfNeeded: range.count)
        return fields + range.lowerBound
    }

    /// Opens a sealed payload with the device's secret of at least ten bytes. Returns 1 on success; the fields can be
    /// read from then on. The linker leaves this code out of firmware that does not call it.
    @_cdecl("inlay_light_open")
    public func lightOpen(_ secret: UnsafePointer<UInt8>, _ count: UInt8) -> UInt8 {
        receiver?.open(secret: secret, count: Int(count)) == true ? 1 : 0
    }
#endif
