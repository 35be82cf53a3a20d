import AsyncHTTPClient
import Foundation
@_spi(Inlay) import InlayWire
import NIOCore
import NIOHTTP1
import Testing

@testable import InlayOpenRTB
@testable import InlayServerTesting
@testable import InlaySimulatedBidder

@Suite(.timeLimit(.minutes(5))) struct SimulatedBidderTests {
    /// The errors of a client whose request took too long.
    private static let timeouts: [HTTPClientError] = [
        .deadlineExceeded, .connectTimeout, .getConnectionFromPoolTimeout,
    ]

    private func send(
        _ request: OpenRTB.BidRequest, to bidder: SimulatedBidder, seconds: Int64 = 20
    ) async throws -> (status: Int, body: ByteBuffer) {
        let address = try #require(await bidder.address)
        var call = HTTPClientRequest(url: address)
        call.method = .POST
        call.headers.add(name: "Content-Type", value: "application/json")
        call.body = .bytes(ByteBuffer(bytes: request.json))
        let response = try await HTTPClient.shared.execute(call, timeout: .seconds(seconds))
        return (Int(response.status.code), try await response.body.collect(upTo: 8 << 20))
    }

    private func bidder(_ change: (inout SimulatedBidder.Configuration) -> Void) -> SimulatedBidder {
        var configuration = SimulatedBidder.Configuration()
        change(&configuration)
        return SimulatedBidder(configuration)
    }

    @Test(arguments: AdFormat.allCases)
    func `a fast bidder's bid passes the exchange's check`(_ format: AdFormat) async throws {
        let request = OpenRTBSamples.request(format)
        try await bidder { $0.priceMicros = 1_234_567 }.whileRunning { bidder in
            let (status, body) = try await send(request, to: bidder)
            #expect(status == 200)
            let check = OpenRTB.ResponseCheck(try RTBDocument(reading: body), to: request)
            #expect(check.faults.isEmpty && check.rejectedBids.isEmpty, "\(check.rejectedBids.map(\.fault))")
            let offer = try #require(check.acceptedBids.first)
            #expect(offer.priceMicros == 1_234_567 && offer.seat.seat == "simulated")
            #expect(offer.kind == (format == .video || format == .rewarded ? .video : .banner))
            if offer.kind == .video {
                let document = try VASTDocument(reading: offer.bid.markup ?? "")
                #expect(document.ads.first?.linear?.mediaFiles.count == 1)
            }
            #expect(bidder.log.entries.map(\.auction) == ["auction-1"])
        }
    }

    @Test func `the simulated bidder bids with its deal only if the request offers the deal`() async throws {
        var deal = OpenRTB.Deal()
        deal.id = "d7"
        let request = OpenRTBSamples.request { $0.deals = [deal] }
        try await bidder { $0.dealID = "d7" }.whileRunning { bidder in
            let check = OpenRTB.ResponseCheck(
                try RTBDocument(reading: try await send(request, to: bidder).body), to: request)
            #expect(check.acceptedBids.first?.deal?.id == "d7")
            let plain = try await send(OpenRTBSamples.request(), to: bidder).body
            let bid = try RTBDocument<OpenRTB.BidResponse>(reading: plain).object.seatBids[0].bids[0]
            #expect(bid.dealID == nil)
        }
    }

    @Test func `notices come back with their macros filled`() async throws {
        let request = OpenRTBSamples.request()
        try await bidder { _ in }.whileRunning { bidder in
            let answer = try RTBDocument<OpenRTB.BidResponse>(
                reading: try await send(request, to: bidder).body
            ).object
            let bid = try #require(answer.seatBids.first?.bids.first)
            var macros = OpenRTB.Macros(
                auctionID: request.id, response: answer, seat: answer.seatBids[0], bid: bid)
            (macros.priceMicros, macros.loss, macros.minimumToWinMicros) = (900_000, .won, 850_000)
            for address in [bid.winURL, bid.billingURL, bid.lossURL] {
                let call = HTTPClientRequest(url: macros.filled(try #require(address)))
                let response = try await HTTPClient.shared.execute(call, timeout: .seconds(20))
                #expect(response.status == .noContent)
            }
            let notices = bidder.log.entries.dropFirst()
            #expect(notices.map(\.kind) == [.win, .bill, .loss])
            #expect(notices.allSatisfy { $0.auction == "auction-1" })
            #expect(notices.allSatisfy { $0.detail.contains("price=0.9&cur=USD&mbr=0.9&loss=0&min=0.85") })
            let page = try await get("/", of: bidder)
            #expect(page.contains("<dt>win</dt><dd>1</dd>") && page.contains("price=0.9&amp;cur=USD"))
            let log = try await get("/log.json", of: bidder)
            #expect(log.contains("\"kind\":\"loss\""))
        }
    }

    @Test func `a request that breaks the specification gets its faults back`() async throws {
        var request = OpenRTBSamples.request()
        request.site = .object([:])
        request.impressions = []
        try await bidder { _ in }.whileRunning { [request] bidder in
            let (status, body) = try await send(request, to: bidder)
            #expect(status == 400)
            #expect(String(buffer: body).contains("site: not-allowed"))
            #expect(String(buffer: body).contains("imp: missing"))
        }
    }

    @Test func `no bid is 204, a broken one 500`() async throws {
        for (behavior, status) in [(SimulatedBidder.Behavior.nobid, 204), (.broken, 500)] {
            try await bidder { $0.behavior = behavior }.whileRunning { bidder in
                let answer = try await send(OpenRTBSamples.request(), to: bidder)
                #expect(answer.status == status)
            }
        }
    }

    @Test func `a garbage response contains no valid bid`() async throws {
        let request = OpenRTBSamples.request()
        try await bidder { $0.behavior = .garbage }.whileRunning { bidder in
            var bodies: Set<[UInt8]> = []
            for _ in 0..<9 {
                let body = try await send(request, to: bidder).body
                bodies.insert(Array(buffer: body))
                guard let document = try? RTBDocument<OpenRTB.BidResponse>(reading: body) else { continue }
                #expect(OpenRTB.ResponseCheck(document, to: request).acceptedBids.isEmpty)
            }
            #expect(bodies.count == 9)
        }
    }

    @Test func `a slow bidder waits, a dead one never answers`() async throws {
        try await bidder { ($0.behavior, $0.delay) = (.slow, .milliseconds(120)) }.whileRunning { bidder in
            let start = ContinuousClock.now
            let answer = try await send(OpenRTBSamples.request(), to: bidder)
            #expect(answer.status == 200)
            #expect(ContinuousClock.now - start >= .milliseconds(120))
        }
        try await bidder { $0.behavior = .dead }.whileRunning { bidder in
            var answers = 0
            // Repeats until the bidder has received one: on a busy machine, a second may pass before a request is sent.
            while bidder.log.count(of: .request) == 0 {
                do {
                    _ = try await send(OpenRTBSamples.request(), to: bidder, seconds: 1)
                    answers += 1
                } catch let error as HTTPClientError where Self.timeouts.contains(error) {}
            }
            #expect(answers == 0)
        }
    }

    @Test func `a huge answer exceeds the limit, and a packed one exceeds it after decompression`()
        async throws
    {
        try await bidder { $0.behavior = .huge }.whileRunning { bidder in
            let answer = try await send(OpenRTBSamples.request(), to: bidder)
            #expect(answer.body.readableBytes > OpenRTB.maximumResponseBytes)
        }
        #expect(InvalidBidResponse.compressed.count < OpenRTB.maximumResponseBytes)
        try await bidder { $0.behavior = .packed }.whileRunning { bidder in
            let small = try await posted(to: bidder, unpacking: .disabled)
            #expect(small.readableBytes == InvalidBidResponse.compressed.count)
            // A client that decompresses stops at its limit.
            let cut = await #expect(throws: (any Error).self) {
                try await posted(
                    to: bidder, unpacking: .enabled(limit: .size(OpenRTB.maximumResponseBytes)))
            }
            #expect(cut.map { String(reflecting: $0).hasSuffix("DecompressionError.limit") } == true)
            let whole = try await posted(to: bidder, unpacking: .enabled(limit: .none))
            #expect(String(buffer: whole).hasPrefix("{\"id\":\"aaaa") && whole.readableBytes > 4_000_000)
        }
    }

    /// Returns the answer that a client with this decompression reads, or throws the client's error.
    private func posted(
        to bidder: SimulatedBidder, unpacking: HTTPClient.Decompression
    ) async throws -> ByteBuffer {
        var call = HTTPClientRequest(url: try #require(await bidder.address))
        call.method = .POST
        call.body = .bytes(ByteBuffer(bytes: OpenRTBSamples.request().json))
        var configuration = HTTPClient.Configuration.singletonConfiguration
        configuration.decompression = unpacking
        let client = HTTPClient(configuration: configuration)
        let body: Result<ByteBuffer, any Error>
        do {
            body = .success(
                try await client.execute(call, timeout: .seconds(20)).body.collect(upTo: 8 << 20))
        } catch { body = .failure(error) }
        try await client.shutdown()
        return try body.get()
    }

    private func get(_ path: String, of bidder: SimulatedBidder) async throws -> String {
        let port = try #require(await bidder.port)
        let call = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(path)")
        let response = try await HTTPClient.shared.execute(call, timeout: .seconds(20))
        return String(buffer: try await response.body.collect(upTo: 1 << 20))
    }
}
