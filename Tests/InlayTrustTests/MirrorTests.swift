import Foundation
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire
import Testing

/// Updates with several mirrors: a bad mirror delays an update, but cannot prevent or alter it.
@Suite(.timeLimit(.minutes(5))) struct MirrorTests {
    enum Fault: CaseIterable, Sendable { case unreachable, missing, garbage, endless, stranger, stale }

    @Test(arguments: Fault.allCases)
    func `a bad mirror does not prevent an update from a good one`(fault: Fault) async throws {
        var fixture = try TrustFixture()
        let bad = ScriptedRepository(clock: fixture.clock)
        bad.serve(fixture.repository)
        try await fixture.client().refresh()
        try fixture.repository.rotate(from: fixture.keys, to: fixture.keys, now: .start)
        try fixture.publish(["a": "news"])
        switch fault {
        case .stale: break
        case .stranger: bad.serve(try TrustFixture().repository)
        case .unreachable, .missing, .garbage, .endless:
            let answer: ScriptedRepository.Reply =
                switch fault {
                case .unreachable: .unreachable
                case .missing: .missing
                case .garbage: .bytes(Data("<html>".utf8))
                default: .endless(chunk: 4_096)
                }
            for name in ["2.root.json", "3.root.json", "timestamp.json", "3.snapshot.json", "2.targets.json"]
            {
                bad.answer(name, answer)
            }
        }
        let client = try fixture.client(mirrors: [bad, fixture.server])
        let threat = await fixture.threat { try await client.refresh() }
        #expect(threat == nil)
        #expect(await fixture.stored("root") == fixture.repository.root.bytes)
        #expect(await fixture.stored("targets") == fixture.repository.targets.bytes)
    }

    @Test func `a file comes from the mirror that has the right bytes`() async throws {
        var fixture = try TrustFixture()
        try fixture.publish(["a": "right"])
        let bad = ScriptedRepository(clock: fixture.clock)
        bad.serve(fixture.repository)
        let client = try fixture.client(mirrors: [bad, fixture.server])
        let target = try await client.target("a")
        for bytes in ["wrong", "longer than it should be", ""] {
            bad.serve(Data(bytes.utf8), as: target)
            #expect(try await client.data(of: target) == Data("right".utf8))
        }
    }

    @Test func `a file comes from the second mirror after the first has hung for 15 seconds`() async throws {
        var fixture = try TrustFixture()
        try fixture.publish(["a": "right"])
        let hung = ScriptedRepository(clock: fixture.clock)
        hung.serve(fixture.repository)
        let client = try fixture.client(mirrors: [hung, fixture.server])
        let target = try await client.target("a")
        hung.answerTarget(target.publishedPath(consistent: true), .stalled(after: Data()))
        async let data = client.data(of: target)
        try await fixture.clock.untilSleeping(2)
        fixture.clock.advance(by: .seconds(15))
        #expect(try await data == Data("right".utf8))
    }

    @Test func `an update asks every mirror though a download demotes one meanwhile`() async throws {
        var fixture = try TrustFixture()
        try fixture.publish(["a": "right"])
        let bad = ScriptedRepository(clock: fixture.clock)
        bad.serve(fixture.repository)
        let client = try fixture.client(mirrors: [bad, fixture.server])
        let target = try await client.target("a")
        bad.answer("2.root.json", .stalled(after: Data()))
        async let update = client.refresh()
        try await fixture.clock.untilSleeping(2)
        bad.serve(Data("wrong".utf8), as: target)
        #expect(try await client.data(of: target) == Data("right".utf8))
        bad.answer("2.root.json", .unreachable)
        fixture.clock.advance(by: .seconds(15))
        let updated = try await update
        #expect(updated.targets.bytes == fixture.repository.targets.bytes)
    }

    @Test func `of several failures the most serious is reported`() async throws {
        let fixture = try TrustFixture()
        let (down, evil) = (ScriptedRepository(), ScriptedRepository())
        down.answer("timestamp.json", .unreachable)
        evil.serve(["timestamp.json": Data("{}".utf8)])
        #expect(
            await fixture.threat { try await fixture.client(mirrors: [down, evil]).refresh() } == .format)
        #expect(
            await fixture.threat { try await fixture.client(mirrors: [evil, down]).refresh() } == .format)
        #expect(await fixture.threat { try await fixture.client(mirrors: []).refresh() } != nil)
    }
}
