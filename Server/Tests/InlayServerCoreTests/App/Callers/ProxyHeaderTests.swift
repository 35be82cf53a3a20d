import Testing

@testable import InlayServerCore

/// The address that is read from the header of a trusted proxy.
@Suite struct ProxyHeaderTests {
    @Test(arguments: [
        ("203.0.113.8", "203.0.113.8"), ("203.0.113.8:40000", "203.0.113.8"), ("2001:db8::8", "2001:db8::8"),
        ("[2001:db8::8]", "2001:db8::8"), ("[2001:DB8::8]:40000", "2001:db8::8"),
        ("[::ffff:203.0.113.8]:40000", "203.0.113.8"), ("fe80::1%eth0", "fe80::1"),
        ("[fe80::1%25eth0]:40000", "fe80::1"), ("\"203.0.113.8:40000\"", "203.0.113.8"),
        ("10.0.0.1,\t 203.0.113.8 ", "203.0.113.8"), ("\"10.0.0.1, 203.0.113.8", "203.0.113.8"),
        ("unknown, 203.0.113.8", "203.0.113.8"),
    ])
    func `the last entry of X-Forwarded-For is an address, with a port, brackets, quotes and zone or without`(
        _ line: String, _ address: String
    ) {
        #expect(ProxyHeader.xForwardedFor.caller(in: line)?.description == address)
    }

    @Test(arguments: [
        "", ",", "203.0.113.5,", "unknown", "_hidden", "203.0.113.5, unknown", "203.0.113.8:4000o",
        "203.0.113.8:400000", "203.0.113.8 198.51.100.7", "[203.0.113.8]:40000", "[2001:db8::8",
        "2001:db8::8]:40000", "[2001:db8::8]40000", "203.0.113.8:40000:1", "example.com", "a@203.0.113.8",
        "203.0.113.5, for=203.0.113.8",
    ])
    func `a last entry of X-Forwarded-For that is no address names nobody`(_ line: String) {
        #expect(ProxyHeader.xForwardedFor.caller(in: line) == nil)
    }

    @Test(arguments: [
        ("for=203.0.113.8", "203.0.113.8"), ("For=\"203.0.113.8:40000\";proto=https", "203.0.113.8"),
        ("proto=https;for=\"[2001:db8::8]:40000\"; by=_edge", "2001:db8::8"),
        ("for=\"[2001:db8::8]:_port\"", "2001:db8::8"), ("for=10.0.0.1, for=203.0.113.8", "203.0.113.8"),
        ("for=\"10.0.0.1, for=203.0.113.8;proto=https", "203.0.113.8"),
        ("for=203.0.113.8;host=\"a, for=10.0.0.1;\"", "203.0.113.8"),
        ("for=203.0.113.8;host=\"a\\\";for=10.0.0.1\"", "203.0.113.8"),
        ("for=203.0.113.8;host=\"a,b\\\"\"", "203.0.113.8"),
    ])
    func `the address is read from for= in the last element of Forwarded, also behind quoted text`(
        _ line: String, _ address: String
    ) {
        #expect(ProxyHeader.forwarded.caller(in: line)?.description == address)
    }

    @Test(arguments: [
        "", "for=unknown", "for=_hidden", "for=\"_hidden:40000\"", "proto=https",
        "for=203.0.113.8, proto=https", "for=203.0.113.8;for=203.0.113.9", "203.0.113.8", "by=203.0.113.8",
        "host=\";for=203.0.113.8\"",
    ])
    func `an element of Forwarded without one address names nobody`(_ line: String) {
        #expect(ProxyHeader.forwarded.caller(in: line) == nil)
    }

    @Test(arguments: ProxyHeader.allCases)
    func `the last of ten thousand entries is read, and an overlong entry is ignored`(
        _ header: ProxyHeader
    ) {
        let prefix = header == .forwarded ? "for=" : ""
        let line = String(repeating: "\(prefix)10.0.0.1, ", count: 10_000) + "\(prefix)203.0.113.8"
        #expect(header.caller(in: line)?.description == "203.0.113.8")
        #expect(header.caller(in: String(repeating: " ", count: 100_000) + "\(prefix)203.0.113.8") == nil)
    }
}
