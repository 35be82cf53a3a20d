@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
import Testing

@_spi(Inlay) @testable import InlayAds

/// The limit for the bytes of all media files together.
@Suite(.timeLimit(.minutes(5))) struct MediaFileCacheTests {
    private let cache = MediaFileCache()

    @Test func `a video reserves the maximum, then its size, and releases it at its end`() async throws {
        var place = await cache.place()
        #expect(cache.reservedBytes == MediaFileCache.maximumFileBytes)
        place?.shrink(to: 1000)
        #expect(cache.reservedBytes == 1000)
        place = nil
        #expect(cache.reservedBytes == 0)
    }

    @Test func `a reservation beyond the limit waits until there is space`() async throws {
        let (one, two) = (await cache.place(), await cache.place())
        #expect(one != nil && cache.reservedBytes == MediaFileCache.maximumBytes)
        let waiting = try await waitingPlace()
        // The first file is small, but together with two files of the maximum size it exceeds the limit.
        one?.shrink(to: 1000)
        two?.shrink(to: MediaFileCache.maximumFileBytes)
        let place = await waiting.value
        #expect(place?.bytes == MediaFileCache.maximumFileBytes - 1000)
        #expect(cache.reservedBytes == MediaFileCache.maximumBytes)
        place?.shrink(to: 0)
        withExtendedLifetime((one, two)) {}
    }

    @Test func `while no download runs, a reservation gets the bytes that are left, even none`() async throws
    {
        let (one, two) = (await cache.place(), await cache.place())
        one?.shrink(to: MediaFileCache.maximumFileBytes)
        two?.shrink(to: MediaFileCache.maximumFileBytes)
        #expect(await cache.place()?.bytes == 0)
        #expect(cache.reservedBytes == MediaFileCache.maximumBytes)
        withExtendedLifetime((one, two)) {}
    }

    @Test func `a cancelled wait reserves nothing`() async throws {
        let (one, two) = (await cache.place(), await cache.place())
        let waiting = try await waitingPlace()
        waiting.cancel()
        #expect(await waiting.value == nil)
        #expect(cache.reservedBytes == MediaFileCache.maximumBytes)
        withExtendedLifetime((one, two)) {}
    }

    /// Returns a task that waits for a reservation; it has begun.
    private func waitingPlace() async throws -> Task<MediaFileCache.Reservation?, Never> {
        let hasBegun = Locked(false)
        // Every caller awaits the task, so it ends with the test.
        let task = Task { [cache] in
            hasBegun.withLock { $0 = true }
            return await cache.place()
        }
        try await eventually { hasBegun.withLock { $0 } }
        return task
    }

    @Test func `a hundred concurrent reservations stay within the limit, and all succeed`() async throws {
        let cache = cache
        await withTaskGroup(of: Bool.self) { group in
            for size in 0..<100 {
                group.addTask {
                    guard let place = await cache.place() else { return false }
                    let isBelow = cache.reservedBytes <= MediaFileCache.maximumBytes
                    place.shrink(to: size)
                    return isBelow && cache.reservedBytes <= MediaFileCache.maximumBytes
                }
            }
            for await isRight in group { #expect(isRight) }
        }
        #expect(cache.reservedBytes == 0)
    }
}
