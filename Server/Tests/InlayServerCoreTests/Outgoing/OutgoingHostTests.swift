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

    private static var hosts: OutgoingHosts { OutgoingHosts(HTTPClient.Configuration(), maximumHosts: 2) }

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
                    // A host that already has connections takes further requests.
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

    @Test func `the host used longest ago is removed first, and a retired one counts until its last request`()
        throws
    {
        let (a, b, c, d) = (Self.key("a"), Self.key("b"), Self.key("c"), Self.key("d"))
        var hosts = Self.hosts
        try hosts.pin(a, to: "127.0.0.1")
        try hosts.pin(b, to: "127.0.0.1")
        if let short = try hosts.beginRequest(a) { hosts.endRequest(a, short, .answered) }
        try hosts.pin(c, to: "127.0.0.1")
        #expect(hosts.address(for: a) != nil && hosts.address(for: b) == nil)

        // The running request keeps the old address, which counts as the second host.
        var old = try hosts.beginRequest(a)
        try hosts.pin(a, to: "127.0.0.2")
        #expect(old != nil && hosts.address(for: c) == nil)
        let new = try hosts.beginRequest(a)
        #expect(throws: OutgoingFailure.busy) { try hosts.pin(d, to: "127.0.0.1") }
        if let use = old { hosts.endRequest(a, use, .answered) }
        old = nil
        try hosts.pin(d, to: "127.0.0.1")
        #expect(new != nil && hosts.address(for: d) != nil)
    }

    @Test func `replaced connections close after their last request, and those of a kept host stay open`()
        async throws
    {
        let a = Self.key("a")
        var hosts = Self.hosts
        try hosts.pin(a, to: "127.0.0.1")
        var old = try hosts.beginRequest(a)
        weak let connections = old
        if let use = old { hosts.endRequest(a, use, .answered) }
        old = nil
        #expect(connections != nil)
        old = try hosts.beginRequest(a)
        try hosts.pin(a, to: "127.0.0.2")
        #expect(connections != nil)
        let client = try #require(old).client
        old = nil
        #expect(connections == nil)
        try await eventually {
            do {
                _ = try await client.execute(
                    HTTPClientRequest(url: "http://127.0.0.1:1/"), timeout: .minutes(1))
                return false
            } catch {
                return error as? HTTPClientError == .alreadyShutdown
            }
        }
    }

    @Test func `an address is checked again soon after a failure, and at once when it is unreachable`()
        throws
    {
        let key = Self.key("a"), start = ContinuousClock.now
        var hosts = Self.hosts
        // Outcomes since a check, whether the host has other addresses, and the seconds until the next check.
        let periods: [([OutgoingOutcome], Bool, Int)] = [
            ([], true, 30), ([.answered], true, 30), ([.failed], true, 5),
            ([.failed, .failed], false, 5),
            ([.unreachable], true, 0), ([.unreachable], false, 5), ([.answered, .unreachable], true, 0),
            ([.failed, .answered], true, 30), ([.answered, .failed, .failed], true, 30),
            ([.unreachable, .answered], true, 30),
        ]
        for (outcomes, hasOthers, seconds) in periods {
            try hosts.pin(key, to: "127.0.0.1", hasOthers: hasOthers, at: start)
            for outcome in outcomes {
                let use = try hosts.beginRequest(key, isChecked: true)
                hosts.endRequest(key, try #require(use), outcome)
            }
            let end = start + .seconds(seconds)
            let before = try hosts.beginRequest(key, at: end - .nanoseconds(1))
            let after = try hosts.beginRequest(key, at: end)
            #expect(before != nil && after == nil, "\(outcomes)")
            #expect((hosts.address(for: key) != nil) == (seconds == 30), "\(outcomes)")
        }
    }
}
