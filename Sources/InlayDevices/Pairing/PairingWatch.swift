import InlayCore
@_spi(Inlay) import InlayWire

/// An observer of one pairing: it requests the status whenever the server signals a change, and every second while
/// there is no live connection.
struct PairingWatch: Sendable {
    let devices: Devices
    let pairing: Pairing

    /// Publishes statuses until a final one, until `limit` has passed (then `timeOver`), or until cancellation.
    func run(
        limit: Duration, publish: @escaping @Sendable (DeviceSetupMachine.Change) async -> Void
    ) async {
        let isLost = Locked(false)
        let wasLost = await withTaskGroup(of: Bool?.self) { group in
            group.addTask {
                await follow(isLost) { await publish(.status($0, pairing: pairing.id)) }
                return nil
            }
            // Reads `isLost` when the limit has passed, before the group is cancelled: cancellation fails the
            // follower's request, which would set `isLost`.
            group.addTask {
                guard (try? await devices.dependencies.clock.sleep(for: limit)) != nil else { return nil }
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
                guard (try? await devices.dependencies.clock.sleep(for: DeviceSetup.pollInterval)) != nil
                else {
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
            // The stream ends with the session, when the user logs out. From then on only the limit ends this loop.
            isLost.withLock { $0 = true }
            guard (try? await devices.dependencies.clock.sleep(for: DeviceSetup.pollInterval)) != nil else {
                return
            }
        }
    }

    /// Publishes the status and returns whether it was final. Repeats a failed request every second.
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
                guard (try? await devices.dependencies.clock.sleep(for: DeviceSetup.pollInterval)) != nil
                else {
                    return false
                }
            }
        }
        return false
    }
}
