extension LightReceiver {
    /// Opens a sealed payload in place, with the secret that is printed on this device. Works in memory that the
    /// receiver no longer needs, and takes some ten thousand steps: call it from the main loop.
    ///
    /// Returns `false` when the payload was sealed for another device, or changed on its way.
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
