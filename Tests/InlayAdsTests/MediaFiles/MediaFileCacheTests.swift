@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
import Testing

@_spi(Inlay) @testable import InlayAds

/// All media files together stay below one limit.
@Suite(.timeLimit(.minutes(5))) struct MediaFileCacheTests {
    private let memory = MediaFileCache()

    @Test func `a video reserves the maximum, keeps what it has, and gives it back`() async throws {
        var place = await memory.place()
        #expect(memory.reservedBytes == MediaFileCache.maximumFileBytes)
        place?.shrink(to: 1000)
        #expect(memory.reservedBytes == 1000)
        place = nil
        #expect(memory.reservedBytes == 0)
    }

    @Test func `one too many waits until there is space for it`() async throws {
        let (one, two) = (await memory.place(), await memory.place())
        #expect(one != nil && memory.reservedBytes == MediaFileCache.maximumBytes)
        async let third = memory.place()
        // The first needed less; what it has plus two as large as can be is more than there is.
        one?.shrink(to: 1000)
        two?.shrink(to: MediaFileCache.maximumFileBytes)
        let place = await third
        #expect(place?.bytes == MediaFileCache.maximumFileBytes - 1000)
        #expect(memory.reservedBytes == MediaFileCache.maximumBytes)
        place?.shrink(to: 0)
        withExtendedLifetime((one, two)) {}
    }

    @Test func `when nothing more comes in, the next one gets what is left, if only nothing`() async throws {
        let (one, two) = (await memory.place(), await memory.place())
        one?.shrink(to: MediaFileCache.maximumFileBytes)
        two?.shrink(to: MediaFileCache.maximumFileBytes)
        #expect(await memory.place()?.bytes == 0)
        #expect(memory.reservedBytes == MediaFileCache.maximumBytes)
        withExtendedLifetime((one, two)) {}
    }

    @Test func `who waits and is cancelled takes nothing`() async throws {
        let (one, two) = (await memory.place(), await memory.place())
        let waiting = Task { await memory.place() }
        waiting.cancel()
        #expect(await waiting.value == nil)
        withExtendedLifetime((one, two)) {}
    }

    @Test func `a hundred at once never take more than allowed, and all get their turn`() async throws {
        let memory = memory
        await withTaskGroup(of: Bool.self) { group in
            for size in 0..<100 {
                group.addTask {
                    guard let place = await memory.place() else { return false }
                    let isBelow = memory.reservedBytes <= MediaFileCache.maximumBytes
                    place.shrink(to: size)
                    return isBelow && memory.reservedBytes <= MediaFileCache.maximumBytes
                }
            }
            for await isRight in group { #expect(isRight) }
        }
        #expect(memory.reservedBytes == 0)
    }
}
