import InlayTesting
@_spi(Inlay) import InlayWire
import NIOCore
import NIOPosix
import Testing

@testable import InlayAdsServer
@testable import InlayServerCore
@testable import InlayServerTesting

/// The addresses of a host: which of them are tried, in which order, and for how long.
@Suite(.timeLimit(.minutes(5))) struct OutgoingAddressTests {
    /// Addresses of which only the last one answers.
    private static let lists = [
        ["::1", "127.0.0.1"], ["127.0.0.2", "127.0.0.1"], ["127.0.0.2", "::1", "127.0.0.3", "127.0.0.1"],
    ]

    private static func failure(
        _ client: OutgoingClient, _ url: String, within limit: TimeAmount = .minutes(1)
    ) async -> OutgoingFailure? {
        do throws(OutgoingFailure) {
            _ = try await client.send(OutgoingRequest(url: url), for: "test", until: .now() + limit)
            return nil
        } catch {
            return error
        }
    }

    private static func failure(
        _ addresses: [String], port: Int, within limit: TimeAmount = .minutes(1)
    ) async throws -> OutgoingFailure? {
        let client = OutgoingClient(try AddressGuard(.all, addresses: addresses))
        let failure = await failure(client, "http://many.test:\(port)/", within: limit)
        await client.close()
        return failure
    }

    @Test(arguments: lists)
    func `a bid request and a notice reach the one address of a host that answers`(_ addresses: [String])
        async throws
    {
        try await LoopbackResponder.run { server in
            let url = "http://many.test:\(server.port)/"
            let known = try AddressGuard(.all, addresses: addresses)
            let bidders = BidderClient(known), notices = AdNoticeClient(known)
            let answer = await bidders.ask(url, ByteBuffer(string: "{}"), until: .now() + .minutes(1))
            if case .none = answer {} else { Issue.record("\(answer)") }
            let notice = AdNotice(
                lost: "auction", "harbor", bidderID: "buyer", number: 0, url: url,
                at: Timestamp(microseconds: 0))
            #expect(await notices.send(notice) == .acknowledged(204))
            #expect(server.requests == 2)
            await bidders.close()
            await notices.close()
        }
    }

    @Test func `a host whose first address hangs is called at its second`() async throws {
        try await LoopbackResponder.run { server in
            try await StalledListener.run(on: "127.0.0.2", port: server.port) { port in
                let failure = try await Self.failure(["127.0.0.2", "127.0.0.1"], port: port)
                #expect(failure == nil)
                #expect(server.requests == 1)
            }
        }
    }

    @Test func `a host that left its address is called at its other address, once for each request`()
        async throws
    {
        try await LoopbackResponder.run(on: "127.0.0.1") { second in
            let known = try AddressGuard(.all, addresses: ["127.0.0.2", "127.0.0.1"])
            try await OutgoingClient(known).closing { client in
                let url = "http://many.test:\(second.port)/"
                try await LoopbackResponder.run(on: "127.0.0.2", port: second.port) { first in
                    #expect(await Self.failure(client, url) == nil)
                    #expect(await Self.failure(client, url) == nil)
                    #expect(first.requests == 2 && second.requests == 0, "the address that answered stays")
                }
                #expect(await Self.failure(client, url) == nil)
                #expect(second.requests == 1)
            }
        }
    }

    @Test func `a request that may have arrived at one address is not sent to another`() async throws {
        try await LoopbackResponder.run(on: "127.0.0.1", hangsUp: true) { second in
            try await LoopbackResponder.run(on: "127.0.0.2", port: second.port, hangsUp: true) { first in
                let failure = try await Self.failure(["127.0.0.2", "127.0.0.1"], port: first.port)
                if case .connection = failure {} else { Issue.record("\(String(describing: failure))") }
                #expect(first.requests == 1 && second.requests == 0)
            }
        }
    }

    @Test func `of a thousand addresses eight are tried, and an error says so`() async throws {
        let addresses = (0..<1_000).map { "127.1.\($0 / 250).\($0 % 250 + 1)" }
        // Nothing listens at port 1.
        let many = try await Self.failure(addresses, port: 1)
        let words = "no connection to 8 of its 1000 addresses, the last of them 127.1.0.8: Connection refused"
        #expect(many == .connection(words))
        let two = try await Self.failure(["127.0.0.2", "::1"], port: 1)
        let last = "no connection to its 2 addresses, the last of them 127.0.0.2: Connection refused"
        #expect(two == .connection(last))
    }

    @Test func `a thousand addresses that hang end with the request's deadline`() async throws {
        try await StalledListener.run(on: "127.0.0.2") { port in
            let addresses = Array(repeating: "127.0.0.2", count: 1_000)
            let failure = try await Self.failure(addresses, port: port, within: .milliseconds(300))
            #expect(failure == .timeout)
        }
    }

    @Test func `IPv4 and IPv6 have half of the attempts each, and those that the other leaves`() {
        func tries(_ sixes: Int, _ fours: Int) -> [Int] {
            let addresses = (0..<sixes).map { "2001:db8::\($0 + 1)" } + (0..<fours).map { "10.0.0.\($0 + 1)" }
            let checked = CheckedAddresses(addresses, of: "many.test", port: 443)
            return [checked.ipv6.count, checked.ipv4.count]
        }
        #expect(tries(1, 1) == [1, 1] && tries(0, 1) == [0, 1])
        #expect(tries(1_000, 1) == [7, 1] && tries(3, 250) == [3, 5])
        #expect(tries(1_000, 250) == [4, 4] && tries(5, 5) == [4, 4])
        let none = CheckedAddresses(["10.0.0.1"], of: "many.test", port: 65_536)
        #expect(none.ipv4.isEmpty && none.ipv6.isEmpty)
    }

    @Test(arguments: [
        ["127.0.0.1", "8.8.8.8"], ["8.8.8.8", "127.0.0.1"], ["2001:4860::1", "::ffff:127.0.0.1"],
    ])
    func `a host with a private address among others is called at none of them`(_ addresses: [String])
        async throws
    {
        try await DrippingBidder.run(.head) { server in
            let client = OutgoingClient(try AddressGuard(.global, addresses: addresses))
            #expect(
                await Self.failure(client, "http://mixed.test:\(server.port)/")
                    == .refusedAddress("the host leads into a private network"))
            await client.close()
            // Connections are accepted in order: a count of one proves that there was none before this one.
            let later = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: server.port).get()
            try await eventually { server.connections > 0 }
            #expect(server.connections == 1)
            try await later.close()
        }
    }

    @Test(arguments: ["0", "65536", "70000", "4294967376"])
    func `a URL with an invalid port is refused`(_ port: String) async throws {
        let client = OutgoingClient(try AddressGuard(.all, addresses: ["127.0.0.1", "::1"]))
        for host in ["many.test", "127.0.0.1", "[::1]"] {
            #expect(await Self.failure(client, "http://\(host):\(port)/") == .invalidURL)
            #expect(AddressGuard.host(of: "https://\(host):\(port)/") == nil)
        }
        await client.close()
        #expect(AddressGuard.host(of: "https://many.test:65535/") == "many.test")
        #expect(AddressGuard.host(of: "https://many.test:/") == "many.test")
    }
}
