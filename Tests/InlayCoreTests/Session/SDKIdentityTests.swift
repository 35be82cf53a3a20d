import Foundation
@_spi(Inlay) import InlayCore
import Testing

@Suite struct SDKIdentityTests {
    @Test func `the SDK names the version of the repository to the server`() throws {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let version = try String(contentsOf: root.appendingPathComponent("VERSION"), encoding: .utf8)
        #expect(SDKIdentity.version + "\n" == version)
        #expect(SDKIdentity.header.hasPrefix("inlay-swift/\(SDKIdentity.version) ("))
    }
}
