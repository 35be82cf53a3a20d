import Foundation
import HTTPTypes
import Hummingbird
import InlayDevicesServer
import InlayServer
import InlayServerCore

/// A feature that serves Harbor's pictures and video at `/harbor/NAME`, and the video's impression tracker.
struct HarborPictures: ServerFeature {
    /// The pictures by file name, read once.
    private let pictures: [String: ByteBuffer]

    /// Reads the pictures from the demo's resources.
    init(video: Data?) throws {
        let files = try FileManager.default.contentsOfDirectory(
            at: DemoResources.folder("harbor"), includingPropertiesForKeys: nil)
        var pictures: [String: ByteBuffer] = [:]
        for file in files where file.pathExtension == "svg" {
            pictures[file.lastPathComponent] = ByteBuffer(data: try Data(contentsOf: file))
        }
        pictures["film.webm"] = video.map { ByteBuffer(data: $0) }
        self.pictures = pictures
    }

    func addRoutes(to routes: ServerRoutes) {
        let pictures = pictures
        routes.root.get("harbor/:name") { _, context in
            let name = context.parameters.get("name") ?? ""
            if name == "seen" { return Response(status: .noContent) }
            guard let picture = pictures[name] else { throw HTTPError(.notFound) }
            let type = name.hasSuffix(".webm") ? "video/webm" : "image/svg+xml"
            return Response(
                status: .ok, headers: [.contentType: type, .cacheControl: "public, max-age=3600"],
                body: .init(byteBuffer: picture))
        }
    }
}
