@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
import Testing

@_spi(Inlay) @testable import InlayAds

/// The limit for the bytes of all media files together.
@Suite(.timeLimit(.minutes(5))) struct MediaFileMemoryTests {
    private let memory = MediaFileMemory()

    @Test func `a video reserves the maximum, then its size, and releases it at its end`() async throws {
        var reservation = await memory.reserve()
        #expect(memory.reservedBytes == MediaFileMemory.maximumFileBytes)
        reservation?.shrink(to: 1000)
        #expect(memory.reservedBytes == 1000)
        reservation = nil
        #expect(memory.reservedBytes == 0)
    }

    @Test func `a reservation beyond the limit waits until there is space`() async throws {
        let (one, two) = (await memory.reserve(), await memory.reserve())
        #expect(one != nil && memory.reservedBytes == MediaFileMemory.maximumBytes)
        let waiting = try await waitingReservation()
        // The first file is small, but together with two files of the maximum size it exceeds the limit.
        one?.shrink(to: 1000)
        two?.shrink(to: MediaFileMemory.maximumFileBytes)
        let reservation = await waiting.value
        #expect(reservation?.bytes == MediaFileMemory.maximumFileBytes - 1000)
        #expect(memory.reservedBytes == MediaFileMemory.maximumBytes)
        reservation?.shrink(to: 0)
        withExtendedLifetime((one, two)) {}
    }

    @Test func `while no download runs, a reservation gets the bytes that are left, even none`() async throws
    {
        let (one, two) = (await memory.reserve(), await memory.reserve())
        one?.shrink(to: MediaFileMemory.maximumFileBytes)
        two?.shrink(to: MediaFileMemory.maximumFileBytes)
        #expect(await memory.reserve()?.bytes == 0)
        #expect(memory.reservedBytes == MediaFileMemory.maximumBytes)
        withExtendedLifetime((one, two)) {}
    }

    @Test func `a cancelled wait reserves nothing`() async throws {
        let (one, two) = (await memory.reserve(), await memory.reserve())
        let waiting = try await waitingReservation()
        waiting.cancel()
        #expect(await waiting.value == nil)
        #expect(memory.reservedBytes == MediaFileMemory.maximumBytes)
        withExtendedLifetime((one, two)) {}
    }

    /// Returns a task that waits for a reservation; it has begun.
    private func waitingReservation() async throws -> Task<MediaFileMemory.Reservation?, Never> {
        let hasBegun = Locked(false)
        // Every caller awaits the task, so it ends with the test.
        let task = Task { [memory] in
            hasBegun.withLock { $0 = true }
            return await memory.reserve()
        }
        try await eventually { hasBegun.withLock { $0 } }
        return task
    }

    @Test func `a hundred concurrent reservations stay within the limit, and all succeed`() async throws {
        let memory = memory
        await withTaskGroup(of: Bool.self) { group in
            for size in 0..<100 {
                group.addTask {
                    guard let reservation = await memory.reserve() else { return false }
                    let isBelow = memory.reservedBytes <= MediaFileMemory.maximumBytes
                    reservation.shrink(to: size)
                    return isBelow && memory.reservedBytes <= MediaFileMemory.maximumBytes
                }
            }
            for await isRight in group { #expect(isRight) }
        }
        #expect(memory.reservedBytes == 0)
    }
}
