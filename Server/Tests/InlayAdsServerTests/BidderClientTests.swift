import Foundation
import Hummingbird
import InlayTesting
@_spi(Inlay) import InlayWire
import NIOConcurrencyHelpers
import NIOCore
import Testing

@testable import InlayAdsServer
@testable import InlayOpenRTB
@testable import InlayServerCore
@testable import InlayServerTesting

@Suite(.timeLimit(.minutes(3))) struct BidderClientTests {
    private func ask(_ site: AdSite, _ name: String, within time: TimeAmount = .seconds(60)) async -> String {
        let client = BidderClient(AddressGuard(.all))
        let answer = await client.ask(
            "http://127.0.0.1:\(site.app.port)/test/bidder/\(name)", ByteBuffer(string: #"{"id":"1"}"#),
            until: .now() + time)
        await client.close()
        return switch answer {
        case .none: "none"
        case .body(let body): "\(body.readableBytes) bytes"
        case .failure(let failure): failure.rawValue
        case .notCalled: "not called"
        }
    }

    @Test func `an answer is read up to its limit, with or without Content-Length or gzip`() async throws {
        try await AdSite.run { site in
            let maximum = OpenRTB.maximumResponseBytes
            @Sendable func spaces(_ count: Int) -> [UInt8] { Array(repeating: 32, count: count) }
            for (name, count) in [("full", maximum), ("over", maximum + 1)] {
                site.buyers.setResponder(name) { _ in FakeBuyers.json(spaces(count)) }
                site.buyers.setResponder("\(name)-packed") { _ in
                    FakeBuyers.json(Array(Gzip.packed(spaces(count))), headers: [.contentEncoding: "gzip"])
                }
                // This response has no `Content-Length`.
                site.buyers.setResponder("\(name)-flowing") { _ in
                    Response(
                        status: .ok,
                        body: ResponseBody { writer in
                            for start in stride(from: 0, to: count, by: 8_192) {
                                let piece = spaces(min(8_192, count - start))
                                try await writer.write(ByteBuffer(bytes: piece))
                            }
                            try await writer.finish(nil)
                        })
                }
            }
            for encoding in ["", "-packed", "-flowing"] {
                #expect(await ask(site, "full\(encoding)") == "\(maximum) bytes", "\(encoding)")
                #expect(await ask(site, "over\(encoding)") == "too-large", "\(encoding)")
            }
        }
    }

    @Test func `a bidder has its time and no more, and each unusable answer is reported by its kind`()
        async throws
    {
        try await AdSite.run { site in
            let gate = site.gate
            site.buyers.setResponder("slow") { _ in
                await gate.wait()
                return FakeBuyers.json([])
            }
            site.buyers.setResponder("angry") { _ in Response(status: .badRequest) }
            site.buyers.setResponder("odd") { _ in
                FakeBuyers.json(Array("x".utf8), headers: [.contentEncoding: "br"])
            }
            site.buyers.setResponder("torn") { _ in
                FakeBuyers.json(
                    Array(Gzip.packed(Array("{}".utf8)).dropLast(9)), headers: [.contentEncoding: "gzip"])
            }
            site.buyers.setResponder("twice") { _ in
                FakeBuyers.json(
                    Array(Gzip.packed(Array("{".utf8)) + Gzip.packed(Array("}".utf8))),
                    headers: [.contentEncoding: "gzip"])
            }
            #expect(await ask(site, "slow", within: .milliseconds(50)) == "timeout")
            gate.open()
            #expect(await ask(site, "angry") == "status")
            #expect(await ask(site, "odd") == "unreadable")
            #expect(await ask(site, "torn") == "unreadable")
            #expect(await ask(site, "twice") == "unreadable")
            #expect(await ask(site, "silent") == "none")
        }
    }

    @Test func `a bidder for which this server has no connections left is not called, which is no failure`()
        async throws
    {
        try await DrippingBidder.run(.head) { server in
            let client = BidderClient(
                try AddressGuard(.all, addresses: ["127.0.0.1"]), maximumHosts: 1)
            let first = Task {
                await client.ask(
                    "http://a.test:\(server.port)/", ByteBuffer(string: "{}"), until: .now() + .minutes(2))
            }
            do {
                try await eventually { server.requests == 1 }
                let answer = await client.ask(
                    "http://b.test:\(server.port)/", ByteBuffer(string: "{}"), until: .now() + .minutes(2))
                if case .notCalled = answer {} else { Issue.record("\(answer)") }
            } catch {
                Issue.record(error)
            }
            first.cancel()
            _ = await first.value
            await client.close()
        }
    }

    @Test func `bidders are asked side by side: each answers only once the others were asked too`()
        async throws
    {
        try await AdSite.run { site in
            let unit = try await site.unit(), port = site.app.port, gate = site.gate
            let names = ["one", "two", "three"]
            let asked = NIOLockedValueBox<Set<String>>([])
            for (index, name) in names.enumerated() {
                site.buyers.setResponder(name) { request in
                    let count = asked.withLockedValue { asked in
                        asked.insert(name)
                        return asked.count
                    }
                    if count == names.count { gate.open() }
                    await gate.wait()
                    let price = Int64(index + 1) * 1_000_000
                    return FakeBuyers.bids(request, [FakeBuyers.bid(name, price, port: port)])
                }
                try await site.records.save(
                    site.environmentID,
                    AdBidder(
                        name: name, endpoint: "http://127.0.0.1:\(port)/test/bidder/\(name)", timeout: 20_000)
                )
            }
            #expect(try await site.requestAd(unit)?.adm.contains(">three<") == true)
        }
    }
}
