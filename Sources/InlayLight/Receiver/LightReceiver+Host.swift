#if !hasFeature(Embedded)
    extension LightReceiver {
        /// Creates a receiver with its own memory, for apps, simulators and tests.
        public init(samplesPerMillisecond: UInt8 = 1) {
            self.init(
                workspace: .allocate(byteCount: Self.workspaceBytes, alignment: 8), owned: true,
                samplesPerMillisecond: samplesPerMillisecond)
        }

        /// A copy of the fields.
        public var fieldBytes: [UInt8] { Array(UnsafeBufferPointer(start: fields, count: fieldCount)) }

        /// Opens a sealed payload with the secret that is printed on the device; see `open(secret:count:)`.
        public mutating func open(secret: [UInt8]) -> Bool {
            secret.withUnsafeBufferPointer { bytes in
                bytes.baseAddress.map { open(secret: $0, count: bytes.count) } ?? false
            }
        }

        /// The payload; `nil` unless it is complete, of this version, and not sealed or opened.
        public var payload: LightPayload? {
            guard isComplete, isReadable else { return nil }
            return LightPayload(fields: fieldBytes)
        }
    }
#endif
