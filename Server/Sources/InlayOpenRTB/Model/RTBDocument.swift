package import NIOCore

/// A parsed object of OpenRTB with the errors of its fields.
package struct RTBDocument<Object: RTBObject>: Sendable {
    /// The object, without the fields that could not be read.
    package var object: Object
    /// The first fields that could not be read; at most 20.
    package var faults: [OpenRTB.Fault]

    /// Parses bytes; throws only when they are not a JSON object.
    package init(reading bytes: [UInt8]) throws(OpenRTB.Fault) {
        self = try bytes.withUnsafeBufferPointer { Self.read($0) }.get()
    }

    /// Parses a buffer; throws only when it is not a JSON object.
    package init(reading buffer: ByteBuffer) throws(OpenRTB.Fault) {
        self = try buffer.withUnsafeReadableBytes { Self.read($0.bindMemory(to: UInt8.self)) }.get()
    }

    private init(object: Object, faults: [OpenRTB.Fault]) {
        (self.object, self.faults) = (object, faults)
    }

    private static func read(_ bytes: UnsafeBufferPointer<UInt8>) -> Result<Self, OpenRTB.Fault> {
        var scanner = JSONScanner(bytes)
        let object = scanner.rtb(Object.self)
        scanner.end()
        if let failure = scanner.failure { return .failure(failure) }
        guard let object else { return .failure(OpenRTB.Fault("", .malformed, "an object")) }
        return .success(Self(object: object, faults: scanner.faults))
    }
}

extension RTBObject {
    /// The object as JSON; equal objects always give equal bytes.
    package var json: [UInt8] {
        var writer = JSONWriter()
        writer.rtb(self)
        return writer.bytes
    }
}
