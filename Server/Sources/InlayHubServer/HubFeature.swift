import Foundation
import Hummingbird
package import InlaySQL
package import InlayServerCore
@_spi(Inlay) import InlayWire
import Logging
import ServiceLifecycle

/// The feature Hub: drafts of content, its signed versions, its keys, and the files that devices fetch.
package struct HubFeature: ServerFeature {
    /// The content that authors write.
    package let content: HubContentStore
    /// The store of files by their hash.
    package let blobs: HubBlobStore
    /// The signing keys of the sources.
    package let keys: HubKeyStore
    /// The publisher, which signs versions and makes them available to devices.
    package let publisher: HubPublisher
    /// The files that devices fetch.
    package let repository: HubRepository
    let services: ServerServices

    /// Creates the feature with its stores.
    package init(_ services: ServerServices) {
        let (database, now, live) = (services.database, services.now, services.live)
        content = HubContentStore(database: database, now: now)
        blobs = HubBlobStore(database: database, now: now)
        keys = HubKeyStore(database: database, box: services.secretBox, now: now)
        publisher = HubPublisher(
            database: database, content: content, blobs: blobs, keys: keys, now: now
        ) { environmentID, sourceID, version in
            await live.changed(
                environment: environmentID, topic: LiveMessage.hubTopic(source: sourceID.rawValue),
                version: version)
        }
        repository = HubRepository(database: database, blobs: blobs)
        self.services = services
    }

    package var migrations: [SQLMigration] { HubSchema.migrations }

    package var largerBodies: [BodyLimit.Larger] {
        [
            .init("v1/hub/:source/files/**", bytes: HubLimits.maximumVideoBytes),
            .init("v1/hub/:source/publish/**", bytes: HubLimits.maximumManifestBytes),
            .init("workbench/e/:environment/hub/:source/files", bytes: HubLimits.maximumVideoBytes),
        ]
    }

    package var sealedKeys: [any SealedKeyStore] { [keys] }

    package func addRoutes(to routes: ServerRoutes) {
        addPublicRoutes(to: routes.root)
        addBackendRoutes(to: routes.backend)
        let prefix = LiveMessage.hubTopic(source: "")
        services.live.registerVersionsLookup(forPrefix: prefix) { [content] topics in
            // All users of an environment follow the same few sources.
            let bySource = Dictionary(grouping: topics) {
                LiveTopic(environmentID: $0.environmentID, userID: UserID(""), topic: $0.topic)
            }
            var versions: [LiveTopic: Int64] = [:]
            for (shared, topics) in bySource {
                let id = HubSourceID(String(shared.topic.dropFirst(prefix.count)))
                let source = try await content.source(shared.environmentID, id)
                guard let version = source?.timestampVersion, version > 0 else { continue }
                for topic in topics { versions[topic] = version }
            }
            return versions
        }
    }

    package var jobs: [any JobHandler] { [sourceJobs] }

    package var periodicTasks: [PeriodicTask] {
        [
            PeriodicTask("hub.pruning", every: .seconds(1_800)) {
                try await HubPruning(database: services.database, now: services.now()).run()
            },
            PeriodicTask("hub.due-sources", every: .seconds(60)) { try await sourceJobs.enqueueDue() },
        ]
    }

    private var sourceJobs: HubSourceJobs {
        HubSourceJobs(
            database: services.database, publisher: publisher, now: services.now, logger: services.logger)
    }

    package func run() async throws {
        // Content that a restore brought back is signed anew at once, and not at the task's next run.
        do { try await sourceJobs.enqueueDue() } catch {
            services.logger.warning(
                "Due sources are looked for later", metadata: ["error": "\(error)"])
        }
        services.jobs.wake()
        try await gracefulShutdown()
    }
}
