import Foundation
import HTTPTypes
import Hummingbird
import InlayServer

/// Serves the pictures of Harbor's cards at `/harbor/NAME.svg`.
struct HarborPictures: ServerFeature {
    /// The pictures by file name, read once.
    private let pictures: [String: ByteBuffer]

    init() throws {
        let files = try FileManager.default.contentsOfDirectory(
            at: DemoResources.folder("harbor"), includingPropertiesForKeys: nil)
        pictures = try Dictionary(
            uniqueKeysWithValues: files.filter { $0.pathExtension == "svg" }.map {
                ($0.lastPathComponent, ByteBuffer(data: try Data(contentsOf: $0)))
            })
    }

    func addRoutes(to routes: ServerRoutes) {
        let pictures = pictures
        routes.root.get("harbor/:name") { _, context in
            guard let picture = context.parameters.get("name").flatMap({ pictures[$0] }) else {
                throw HTTPError(.notFound)
            }
            return Response(
                status: .ok,
                headers: [.contentType: "image/svg+xml", .cacheControl: "public, max-age=3600"],
                body: .init(byteBuffer: picture))
        }
    }
}
