import InlayCore
@_spi(Inlay) import InlayWire

/// Follows one pairing to its end: asks when the server says that something changed, and every second while
/// there is no live connection.
struct PairingWatch: Sendable {
    let devices: Devices
    let pairing: Pairing

    /// Runs until a final word, the limit, or cancellation.
    func run(
        limit: Duration, publish: @escaping @Sendable (DeviceSetupMachine.Change) async -> Void
    ) async {
        let isLost = Locked(false)
        let wasLost = await withTaskGroup(of: Bool?.self) { group in
            group.addTask {
                await follow(isLost) { await publish(.status($0, pairing: pairing.id)) }
                return nil
            }
            // Read when the time is over: the follower that is cancelled then loses what it waits for as well.
            group.addTask {
                guard (try? await devices.parts.clock.sleep(for: limit)) != nil else { return nil }
                return isLost.withLock { $0 }
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        guard let wasLost, !Task.isCancelled else { return }
        await publish(.timeOver(pairing: pairing.id, isLost: wasLost))
    }

    private func follow(
        _ isLost: Locked<Bool>, _ publish: @Sendable (PairingStatus) async -> Void
    ) async {
        while !Task.isCancelled {
            guard let session = try? await devices.session() else {
                isLost.withLock { $0 = true }
                guard (try? await devices.parts.clock.sleep(for: DeviceSetup.pollInterval)) != nil else {
                    return
                }
                continue
            }
            let signals = await session.live.subscribe(
                topic: LiveMessage.pairingTopic, pollEvery: DeviceSetup.pollInterval)
            guard await !ask(isLost, publish) else { return }
            for await signal in signals where signal != .disconnected {
                if await ask(isLost, publish) { return }
            }
            // The stream ends with the session, when the user logs out. Only the limit ends the wait for it.
            isLost.withLock { $0 = true }
            guard (try? await devices.parts.clock.sleep(for: DeviceSetup.pollInterval)) != nil else { return }
        }
    }

    /// Whether that was the final word. Asks again after a second for as long as there is no answer.
    private func ask(
        _ isLost: Locked<Bool>, _ publish: @Sendable (PairingStatus) async -> Void
    ) async -> Bool {
        while !Task.isCancelled {
            do throws(AccountError) {
                let status = try await devices.pairing(pairing.id)
                isLost.withLock { $0 = false }
                await publish(status)
                return status.state.isFinal
            } catch {
                if error.code == .network { isLost.withLock { $0 = true } }
                guard (try? await devices.parts.clock.sleep(for: DeviceSetup.pollInterval)) != nil else {
                    return false
                }
            }
        }
        return false
    }
}
