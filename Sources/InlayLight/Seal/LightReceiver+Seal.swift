extension LightReceiver {
    /// Opens a sealed payload in place, with the secret that is printed on this device. Needs no further memory: it
    /// reuses a part of the workspace. It takes some ten thousand steps, so call it from the main loop.
    ///
    /// Returns `false` when the payload was sealed for another device or was changed in transit.
    public mutating func open(secret: UnsafePointer<UInt8>, count: Int) -> Bool {
        guard isComplete, isSealed, count >= LightSeal.secretBytes else { return false }
        let seal = LightSeal(
            workspace.assumingMemoryBound(to: UInt32.self), secret: secret, count: count,
            salt: UnsafePointer(fountain.data + 1))
        guard seal.open(fountain.data, sealedCount) else { return false }
        isOpened = true
        return true
    }
}
