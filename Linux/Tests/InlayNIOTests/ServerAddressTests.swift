import Foundation
import Testing

@testable import InlayNIO

@Suite struct ServerAddressTests {
    @Test(arguments: [
        ("http://a.example", "a.example", "/", "http://a.example/"),
        ("https://a.example:443/x?y=%20", "a.example", "/x?y=%20", "https://a.example/x?y=%20"),
        ("ws://127.0.0.1:8080/socket", "127.0.0.1:8080", "/socket", "http://127.0.0.1:8080/socket"),
        ("wss://[::1]:8443/#part", "[::1]:8443", "/", "https://[::1]:8443/"),
        ("http://a.example:443/", "a.example:443", "/", "http://a.example:443/"),
    ])
    func `host field, target and http address are read from a URL`(
        url: String, authority: String, target: String, http: String
    ) throws {
        let address = try ServerAddress(#require(URL(string: url)))
        #expect(address.authority == authority)
        #expect(address.target == target)
        #expect(address.httpAddress == http)
    }

    @Test func `an address is distinguished from a name, with or without brackets`() throws {
        for (text, isAddress) in [
            ("https://[::1]/", true), ("https://10.0.0.1/", true), ("https://10.example/", false),
        ] {
            #expect(try ServerAddress(#require(URL(string: text))).isIPAddress == isAddress)
        }
    }
}
