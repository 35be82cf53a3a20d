import Foundation
import InlayDevicesServer
import InlayHubServer
import InlayServer
@_spi(Inlay) import InlayWire

/// Harbor's hub: the folder in the demo's resources, published as by `inlay publish`.
struct HarborHub {
    static let sourceID = HubSourceID("main")

    let server: InlayServer

    /// Publishes the folder as the first version.
    func publish() async throws {
        let hub = server.features.hub
        let folder = try HubFolder(
            DemoResources.folder("harbor").appendingPathComponent("hub"), now: server.services.now())
        try await hub.content.createSource(HarborCompany.environmentID, id: Self.sourceID, name: "Harbor")
        for path in folder.files.keys {
            try await hub.blobs.put(HarborCompany.environmentID, try folder.data(path))
        }
        _ = try await hub.publisher.publish(
            HarborCompany.environmentID, Self.sourceID, folder.manifest, by: "demo")
    }
}
