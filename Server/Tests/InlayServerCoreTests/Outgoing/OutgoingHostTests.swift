import AsyncHTTPClient
import InlayTesting
import NIOCore
import Testing

@testable import InlayServerCore
@testable import InlayServerTesting

/// The number of hosts to which connections are kept.
@Suite(.timeLimit(.minutes(5))) struct OutgoingHostTests {
    private static func failure(
        _ client: OutgoingClient, _ host: String, _ port: Int
    ) async -> OutgoingFailure? {
        do throws(OutgoingFailure) {
            let request = OutgoingRequest(url: "http://\(host):\(port)/")
            _ = try await client.send(request, for: "test", until: .now() + .minutes(4))
            return nil
        } catch {
            return error
        }
    }

    /// Runs the body on hosts, and shuts their clients down, also when it throws. `unused` are those that it got back.
    private static func withHosts(
        _ body: (_ hosts: inout OutgoingHosts, _ unused: inout [HTTPClient]) throws -> Void
    ) async throws {
        var hosts = OutgoingHosts(connections: 1, maximumHosts: 2), unused: [HTTPClient] = []
        let result = Result { try body(&hosts, &unused) }
        for client in unused + hosts.close() { try await client.shutdown() }
        try result.get()
    }

    private static func key(_ host: String) -> OutgoingHosts.Key {
        OutgoingHosts.Key(host: host, port: 80, sender: "test")
    }

    @Test func `while all hosts hang one more is refused, and called once one of them is done`()
        async throws
    {
        try await DrippingBidder.run(.head) { server in
            let known = try AddressGuard(.all, addresses: ["127.0.0.1"])
            try await OutgoingClient(known, maximumHosts: 2).closing { client in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for host in ["a.test", "b.test"] {
                        group.addTask { _ = await Self.failure(client, host, server.port) }
                    }
                    try await eventually { server.requests == 2 }
                    #expect(await Self.failure(client, "c.test", server.port) == .busy)
                    // A host that is kept takes further requests.
                    group.addTask { _ = await Self.failure(client, "a.test", server.port) }
                    try await eventually { server.requests == 3 }
                    #expect(server.openConnections == 3, "nothing was cut")
                    group.cancelAll()
                }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { _ = await Self.failure(client, "c.test", server.port) }
                    try await eventually { server.requests == 4 }
                    group.cancelAll()
                }
            }
        }
    }

    @Test func `the host of the oldest use makes room, and a retired one counts until its last request`()
        async throws
    {
        try await Self.withHosts { hosts, unused in
            unused += try hosts.pin(Self.key("a"), to: "127.0.0.1")
            unused += try hosts.pin(Self.key("b"), to: "127.0.0.1")
            #expect(unused.isEmpty)
            let short = try hosts.enter(Self.key("a"))
            unused += [hosts.leave(try #require(short), .answered)].compactMap { $0 }
            unused += try hosts.pin(Self.key("c"), to: "127.0.0.1")
            #expect(unused.count == 1)
            #expect(hosts.address(for: Self.key("a")) != nil && hosts.address(for: Self.key("b")) == nil)

            // The request goes on at the old address, which takes the other place.
            let old = try hosts.enter(Self.key("a"))
            unused += try hosts.pin(Self.key("a"), to: "127.0.0.2")
            #expect(unused.count == 2 && hosts.address(for: Self.key("c")) == nil)
            let new = try hosts.enter(Self.key("a"))
            #expect(throws: OutgoingFailure.busy) { try hosts.pin(Self.key("d"), to: "127.0.0.1") }
            unused += [hosts.leave(try #require(old), .answered)].compactMap { $0 }
            #expect(unused.count == 3 && new != nil)
            unused += try hosts.pin(Self.key("d"), to: "127.0.0.1")
            #expect(unused.count == 3 && hosts.address(for: Self.key("d")) != nil)
        }
    }

    @Test func `an address is checked again soon after a failure, and at once when it takes nothing`()
        async throws
    {
        try await Self.withHosts { hosts, unused in
            let key = Self.key("a"), start = ContinuousClock.now
            // Outcomes since a check, whether the host has other addresses, and the seconds until the next check.
            let periods: [([OutgoingOutcome], Bool, Int)] = [
                ([], true, 30), ([.answered], true, 30), ([.failed], true, 5),
                ([.failed, .failed], false, 5),
                ([.unreachable], true, 0), ([.unreachable], false, 5), ([.answered, .unreachable], true, 0),
                ([.failed, .answered], true, 30), ([.answered, .failed, .failed], true, 30),
                ([.unreachable, .answered], true, 30),
            ]
            for (outcomes, hasOthers, seconds) in periods {
                unused += try hosts.pin(key, to: "127.0.0.1", hasOthers: hasOthers, at: start)
                for outcome in outcomes {
                    let use = try hosts.enter(key, isChecked: true)
                    unused += [hosts.leave(try #require(use), outcome)].compactMap { $0 }
                }
                let end = start + .seconds(seconds)
                let before = try hosts.enter(key, at: end - .nanoseconds(1))
                let after = try hosts.enter(key, at: end)
                #expect(before != nil && after == nil, "\(outcomes)")
                #expect((hosts.address(for: key) != nil) == (seconds == 30), "\(outcomes)")
            }
            #expect(unused.isEmpty, "the connections stay")
        }
    }
}
