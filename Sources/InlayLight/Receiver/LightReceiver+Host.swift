#if !hasFeature(Embedded)
    extension LightReceiver {
        /// A receiver with memory of its own, for apps, simulators and tests.
        public init(samplesPerMillisecond: UInt8 = 1) {
            self.init(
                workspace: .allocate(byteCount: Self.workspaceBytes, alignment: 8), owned: true,
                samplesPerMillisecond: samplesPerMillisecond)
        }

        /// The fields, copied.
        public var fieldBytes: [UInt8] { Array(UnsafeBufferPointer(start: fields, count: fieldCount)) }

        /// Opens a sealed payload with the secret that is printed on the device; see `open(secret:count:)`.
        public mutating func open(secret: [UInt8]) -> Bool {
            secret.withUnsafeBufferPointer { bytes in
                bytes.baseAddress.map { open(secret: $0, count: bytes.count) } ?? false
            }
        }

        /// The payload, when it is there, of this version, and not sealed.
        public var payload: LightPayload? {
            guard isComplete, isReadable else { return nil }
            return LightPayload(fields: fieldBytes)
        }
    }
#endif
