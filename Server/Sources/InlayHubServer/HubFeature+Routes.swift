import Foundation
import Hummingbird
import InlayServerCore
@_spi(Inlay) import InlayWire
import NIOCore

extension HubFeature {
    /// Adds the routes that devices fetch from. They need no sign-in: the content is public and trusted by signature.
    func addPublicRoutes(to routes: RouterGroup<ServerContext>) {
        routes.get("v1/hub/{environment}/{source}/metadata/{file}") { request, context in
            let name = try context.parameters.require("file")
            let data = try await repository.metadata(
                try Self.environmentID(context), HubSourceID(try context.parameters.require("source")), name)
            guard let data else { throw Problem.notFound }
            return HubFileResponse.metadata(data, name: name, request)
        }
        routes.get("v1/hub/{environment}/{source}/targets/**") { request, context in
            let environmentID = try Self.environmentID(context)
            let address = context.parameters.getCatchAll().joined(separator: "/")
            let found = try await repository.file(
                environmentID, HubSourceID(try context.parameters.require("source")), address)
            guard let found else { throw Problem.notFound }
            return HubFileResponse.file(found.blob, found.media, request) { [blobs] range in
                blobs.read(environmentID, found.blob, range)
            }
        }
    }

    /// Returns the environment of the path without a check: published content is public.
    private static func environmentID(_ context: ServerContext) throws -> EnvironmentID {
        EnvironmentID(verified: try context.parameters.require("environment"))
    }

    /// Adds the routes that an environment's own systems call to publish.
    func addBackendRoutes(to routes: RouterGroup<BackendContext>) {
        // Hummingbird allows one parameter name per position in a path. Here `environment` holds the source's id;
        // the secret key determines the environment.
        routes.post("v1/hub/{environment}/missing") { request, context in
            let list = try await request.json(HubFileList.self)
            guard list.files.count <= HubLimits.maximumAssets else {
                throw Problem.invalidValue("files", "At most \(HubLimits.maximumAssets).")
            }
            let manifest = HubManifest(
                assets: Dictionary(list.files.map { ($0.hash, $0) }) { first, _ in first })
            return try Response.json(
                HubFileList(files: try await publisher.missing(context.environmentID, manifest)))
        }
        routes.put("v1/hub/{environment}/files/{hash}") { request, context in
            let hash = try context.parameters.require("hash")
            guard HubPath.isHash(hash) else {
                throw Problem.invalidValue("hash", "A SHA-256 in lower-case hex.")
            }
            let blob = try await blobs.put(
                context.environmentID, request.body, expecting: hash, limit: HubLimits.maximumVideoBytes)
            return try Response.json(blob)
        }
        routes.post("v1/hub/{environment}/publish") { request, context in
            let manifest = try await request.json(HubManifest.self, limit: HubLimits.maximumManifestBytes)
            let sourceID = HubSourceID(try context.parameters.require("environment"))
            do {
                let publication = try await publisher.publish(
                    context.environmentID, sourceID, manifest, by: context.secretKeyID)
                return try Response.json(publication)
            } catch let faults as HubFaults {
                throw faults.problem
            } catch let errors as FieldErrors {
                throw errors.problem
            }
        }
    }
}

/// A list of files by hash and size.
struct HubFileList: Codable, Sendable {
    var files: [HubBlob]
}
