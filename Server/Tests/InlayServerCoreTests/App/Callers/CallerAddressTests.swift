import NIOCore
import Testing

@testable import InlayServerCore

/// The parsing of a caller's address, and the networks by which it is counted.
@Suite struct CallerAddressTests {
    @Test(arguments: [
        ("203.0.113.8", "203.0.113.8"), ("::ffff:203.0.113.8", "203.0.113.8"),
        ("::FFFF:CB00:7108", "203.0.113.8"), ("2001:DB8:0:0:0::8", "2001:db8::8"),
        ("fe80::1%eth0", "fe80::1"), ("::1", "::1"),
    ])
    func `an address has one spelling, whatever it is written as`(_ text: String, _ spelling: String) {
        #expect(CallerAddress(text)?.description == spelling)
    }

    @Test(arguments: [
        "", "203.0.113", "203.0.113.8.9", "203.0.113.256", "203.0.113.08", "203.0.113.8%eth0",
        "203.0.113.8:80", "2001:db8::g", "[2001:db8::8]", "local", "203.0.113.8\u{0}", "２０３.0.113.8",
        " 203.0.113.8", String(repeating: ":", count: 100),
    ])
    func `text that is no address is refused`(_ text: String) {
        #expect(CallerAddress(text) == nil)
    }

    // Databases hold these names and hashes of them, so they must not change.
    @Test(arguments: [
        ("192.0.2.77", "192.0.2.77", "192.0.2.0/24"), ("::ffff:192.0.2.77", "192.0.2.77", "192.0.2.0/24"),
        ("2001:db8:7:1::1", "20-1-d-b8-0-7-0-1/64", "20-1-d-b8-0-7/48"),
        ("2001:db8:7:1:ffff::%eth0", "20-1-d-b8-0-7-0-1/64", "20-1-d-b8-0-7/48"),
    ])
    func `a network is an IPv4 address or an IPv6 /64, and a block a /24 or a /48`(
        _ text: String, _ network: String, _ block: String
    ) throws {
        let caller = try #require(CallerAddress(text))
        #expect(caller.network.name == network && caller.block.name == block)
    }

    @Test func `a caller without an address is counted by its name`() {
        let caller = CallerAddress(name: "account:ada")
        #expect(caller.description == "account:ada")
        #expect(caller.network.name == "account:ada" && caller.block.name == "account:ada")
        #expect(CallerAddress(nil) == .local && CallerAddress.local.network.name == "local")
    }

    @Test func `a range holds the addresses of its prefix, in either form`() throws {
        let v4 = try #require(NetworkRange("192.0.2.128/25")),
            v6 = try #require(NetworkRange("2001:db8::/33"))
        for address: CallerAddress in ["192.0.2.128", "192.0.2.255", "::ffff:192.0.2.200"] {
            #expect(v4.contains(address))
        }
        for address: CallerAddress in ["192.0.2.127", "192.0.3.128", "2001:db8::1", "", "local"] {
            #expect(!v4.contains(address), "\(address)")
        }
        #expect(
            v6.contains("2001:db8:7fff::1") && !v6.contains("2001:db8:8000::1") && !v6.contains("192.0.2.1"))
        let one = try #require(NetworkRange("203.0.113.9"))
        #expect(one.contains("203.0.113.9") && !one.contains("203.0.113.8"))
        let all = try #require(NetworkRange("0.0.0.0/0"))
        #expect(all.contains("203.0.113.9") && !all.contains("::1"))
        for text in ["", "192.0.2.0/33", "192.0.2.0/-1", "192.0.2/24", "2001:db8::/129", "a/8", "192.0.2.0/"]
        {
            #expect(NetworkRange(text) == nil, "\(text)")
        }
    }
}
