import Foundation
import Hummingbird
import InlaySQL
import InlayWire
import Logging
import ServiceLifecycle

/// Signed content: what people write, its versions, its keys, and the files that devices fetch.
package struct HubFeature: ServerFeature {
    /// What people write.
    package let content: HubContentStore
    /// Files by their hash.
    package let blobs: HubBlobStore
    /// Keys of the sources.
    package let keys: HubKeyStore
    /// What makes versions.
    package let publisher: HubPublisher
    /// What devices get.
    package let repository: HubRepository
    private let database: any SQLDatabase
    private let live: LiveHub
    private let logger: Logger
    private let now: @Sendable () -> Timestamp

    init(_ services: ServerServices) {
        let (database, now, live) = (services.database, services.now, services.live)
        content = HubContentStore(database: database, now: now)
        blobs = HubBlobStore(database: database, now: now)
        keys = HubKeyStore(database: database, box: services.secretBox, now: now)
        publisher = HubPublisher(
            database: database, content: content, blobs: blobs, keys: keys, now: now
        ) { environmentID, sourceID, version in
            await live.changed(
                environment: environmentID, topic: LiveMessage.hubTopic(source: sourceID), version: version)
        }
        repository = HubRepository(database: database, blobs: blobs)
        self.database = database
        self.live = live
        self.now = now
        logger = services.logger
    }

    package var migrations: [SQLMigration] { HubSchema.migrations }

    package func addRoutes(to routes: ServerRoutes) {
        addPublicRoutes(to: routes.root)
        addBackendRoutes(to: routes.backend)
        let prefix = LiveMessage.hubTopic(source: "")
        live.topicVersions(prefix) { [content] topics in
            // All users of an environment follow the same few sources.
            let bySource = Dictionary(grouping: topics) {
                LiveTopic(environmentID: $0.environmentID, userID: "", topic: $0.topic)
            }
            var versions: [LiveTopic: Int64] = [:]
            for (shared, topics) in bySource {
                let id = String(shared.topic.dropFirst(prefix.count))
                let source = try await content.source(shared.environmentID, id)
                guard let version = source?.timestampVersion, version > 0 else { continue }
                for topic in topics { versions[topic] = version }
            }
            return versions
        }
    }

    package func run() async throws {
        let clock = HubClock(database: database, publisher: publisher, now: now, logger: logger)
        await cancelWhenGracefulShutdown { await clock.run() }
    }
}

extension InlayServerConfiguration {
    /// Where the content secret is.
    package var contentSecretPath: String {
        if let contentSecretFile { return contentSecretFile }
        guard let path = SQLitePath.path(of: database.value) else { return ".inlay/content.secret" }
        return URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent("content.secret")
            .path
    }
}
