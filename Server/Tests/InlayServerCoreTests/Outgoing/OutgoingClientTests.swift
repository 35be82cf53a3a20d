import Foundation
import InlayTesting
@_spi(Inlay) import InlayWire
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import Testing

@testable import InlayServerCore
@testable import InlayServerTesting

@Suite(.timeLimit(.minutes(3))) struct OutgoingClientTests {
    private func send(
        _ url: String, _ addressGuard: AddressGuard, within limit: TimeAmount = .seconds(60),
        upTo maximumSize: Int = 1_024
    ) async -> Result<OutgoingResponse, OutgoingFailure> {
        let client = OutgoingClient(addressGuard)
        var request = OutgoingRequest(url: url)
        request.maximumBodySize = maximumSize
        let result: Result<OutgoingResponse, OutgoingFailure>
        do {
            result = .success(try await client.send(request, for: "test", until: .now() + limit))
        } catch {
            result = .failure(error)
        }
        await client.close()
        return result
    }

    @Test(arguments: PrivateHosts.all)
    func `no request leaves for this machine or a private network`(_ host: String) async throws {
        try await DrippingBidder.run(.stall) { server in
            let url = "http://\(host):\(server.port)/"
            let result = await send(url, AddressGuard(.global))
            guard case .failure(.refusedAddress) = result else {
                Issue.record("\(url): \(result)")
                return
            }
            // Connections are accepted in order: a count of one proves that there was none before this one.
            let later = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: server.port).get()
            try await eventually(within: .seconds(120)) { server.connections > 0 }
            #expect(server.openConnections == 1 && server.connections == 1)
            try await later.close()
        }
    }

    @Test
    func `a connection goes to the checked address, and a host with private and global addresses is refused`()
        async throws
    {
        try await AdSite.run { site in
            let asked = NIOLockedValueBox<[String]>([])
            let resolve: AddressGuard.Resolve = { host in
                asked.withLockedValue { $0.append(host) }
                let local = IPAddress(bytes: [127, 0, 0, 1], text: "127.0.0.1")
                let global = IPAddress(bytes: [8, 8, 8, 8], text: "8.8.8.8")
                return host == "mixed.test" ? [global, local] : [local]
            }
            // No resolver knows this name, so only the address that was checked can be reached.
            let pinned = await send(
                "http://pinned.test:\(site.app.port)/health", AddressGuard(.all, resolve: resolve))
            #expect(pinned.success?.status == 200)
            #expect(asked.withLockedValue { $0 } == ["pinned.test"])
            let mixed = await send("http://mixed.test/", AddressGuard(.global, resolve: resolve))
            #expect(mixed.failure == .refusedAddress("the host leads into a private network"))
            for url in ["ftp://a.test/", "http://me@a.test/", "a.test", "http:///"] {
                let result = await send(url, AddressGuard(.all, resolve: resolve))
                #expect(result.failure == .invalidURL, "\(url)")
            }
        }
    }

    @Test func `a lookup that takes too long ends with the request's deadline`() async throws {
        let latch = Latch()
        defer { latch.open() }
        let slow: AddressGuard.Resolve = { _ in
            await latch.wait()
            return []
        }
        #expect(
            await send("http://slow.test/", AddressGuard(.all, resolve: slow), within: .milliseconds(50))
                .failure
                == .timeout)
    }

    @Test(arguments: DrippingBidder.Behavior.allCases)
    func `one deadline covers the head and the body`(_ behavior: DrippingBidder.Behavior) async throws {
        try await DrippingBidder.run(behavior) { server in
            let result = await send(
                "http://127.0.0.1:\(server.port)/", AddressGuard(.all), within: .milliseconds(300),
                upTo: 1 << 20)
            #expect(result.failure == .timeout)
        }
    }

    @Test func `the settings' own hosts may be private, but never link-local`() {
        let local = IPAddress(bytes: [10, 0, 0, 1]), metadata = IPAddress(bytes: [169, 254, 169, 254])
        let (named, all, global) = (
            AddressGuard(.globalAndPrivate), AddressGuard(.all), AddressGuard(.global)
        )
        #expect(named.allows(local) && !named.allows(metadata) && all.allows(metadata))
        #expect(!global.allows(local) && !global.allows(metadata))
        #expect(
            global.allows(IPAddress(bytes: [8, 8, 8, 8])) && named.allows(IPAddress(bytes: [127, 0, 0, 1])))
    }
}

extension Result {
    fileprivate var success: Success? { try? get() }

    fileprivate var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
