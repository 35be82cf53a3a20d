import InlayCore
import InlayTesting
import Testing

@testable import InlayAds

/// All films together stay below one bound.
@Suite(.timeLimit(.minutes(5))) struct AdFilmMemoryTests {
    private let memory = AdFilmMemory()

    @Test func `a film reserves the most it may have, keeps what it has, and gives it back`() async throws {
        var place = await memory.place()
        #expect(memory.taken == AdFilmMemory.largest)
        place?.keep(1000)
        #expect(memory.taken == 1000)
        place = nil
        #expect(memory.taken == 0)
    }

    @Test func `one too many waits until there is room for it`() async throws {
        let (one, two) = (await memory.place(), await memory.place())
        #expect(one != nil && memory.taken == AdFilmMemory.most)
        async let third = memory.place()
        // The first needed less; what it has plus two as large as can be is more than there is.
        one?.keep(1000)
        two?.keep(AdFilmMemory.largest)
        let place = await third
        #expect(place?.bytes == AdFilmMemory.largest - 1000)
        #expect(memory.taken == AdFilmMemory.most)
        place?.keep(0)
        withExtendedLifetime((one, two)) {}
    }

    @Test func `when nothing more comes in, the next one gets what is left, if only nothing`() async throws {
        let (one, two) = (await memory.place(), await memory.place())
        one?.keep(AdFilmMemory.largest)
        two?.keep(AdFilmMemory.largest)
        #expect(await memory.place()?.bytes == 0)
        #expect(memory.taken == AdFilmMemory.most)
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
                    let isBelow = memory.taken <= AdFilmMemory.most
                    place.keep(size)
                    return isBelow && memory.taken <= AdFilmMemory.most
                }
            }
            for await isRight in group { #expect(isRight) }
        }
        #expect(memory.taken == 0)
    }
}
