import Foundation
@_spi(Inlay) import InlayCore
import InlayNIO
import InlayServerCore
@_spi(Inlay) import InlayWire

/// A client of Chromium's debugging protocol that finds the flashing square of the light link.
struct DevTools: Sendable {
    let address: URL
    let transport: NIOTransport
    /// The name of this client's isolated worlds. Two clients with the same name would share the frames.
    private let world = "inlay-eye-\(UUID().uuidString)"

    init(address: URL, transport: NIOTransport) { (self.address, self.transport) = (address, transport) }

    /// Waits for a page or frame that has a square, and returns it. The browser may be started later.
    func pageWithPatch(log: (String) -> Void) async throws -> DevToolsPage {
        var wasReachable = true
        while true {
            let targets = try? await targets()
            if targets == nil, wasReachable { log("eye: no browser at \(address.absoluteString) yet") }
            wasReachable = targets != nil
            for target in targets ?? [] {
                guard var page = try? await DevToolsPage(target, world: world, transport) else { continue }
                // A page may navigate while it is searched.
                if (try? await page.findPatch()) == true { return page }
                await page.close()
            }
            try await Task.sleep(for: .milliseconds(250))
        }
    }

    private struct ListedTarget: Decodable {
        let type: String
        let url: String
        let webSocketDebuggerUrl: String?
    }

    /// Returns the pages, and the frames with a process of their own.
    private func targets() async throws -> [DevToolsPage.Target] {
        let answer = try await transport.send(
            TransportRequest(url: address.appendingPathComponent("json/list"), timeout: .seconds(5)))
        return try JSONDecoder().decode([ListedTarget].self, from: answer.body).compactMap { listed in
            guard ["page", "iframe"].contains(listed.type), let text = listed.webSocketDebuggerUrl,
                let socket = URL(string: text)
            else { return nil }
            return DevToolsPage.Target(address: listed.url, socket: socket)
        }
    }
}

/// A sample of the square's light, which lasts until the next sample.
struct PatchSample: Sendable {
    /// The time by the page's clock, in milliseconds.
    let millis: Double
    /// The light, from 0 to 1.
    let light: Double
}
