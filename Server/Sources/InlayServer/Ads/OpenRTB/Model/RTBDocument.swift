import NIOCore

/// What an object of OpenRTB was read from a document with: what could be read, and what could not.
package struct RTBDocument<Object: RTBObject>: Sendable {
    /// The object.
    package var object: Object
    /// Fields that had another type, by their place; they are left out of the object.
    package var faults: [OpenRTB.Fault]

    /// Reads a document; throws only when it is no JSON object.
    package init(reading bytes: [UInt8]) throws(OpenRTB.Fault) {
        self = try bytes.withUnsafeBufferPointer { Self.read($0) }.get()
    }

    /// Reads a document from what came over the network.
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
    /// The object as JSON; the same object is always the same bytes.
    package var json: [UInt8] {
        var writer = JSONWriter()
        writer.rtb(self)
        return writer.bytes
    }
}
