import Foundation
package import InlayBehaviors
@_spi(Inlay) package import InlayCore
@_spi(Inlay) import InlayWire
import InlayXMLAPI

/// The open session of the facade, with its features and its OAuth tokens.
package struct EngageEngine: Sendable {
    package let session: InlaySession
    package let behaviors: Behaviors
    let xmlapi: XMLAPIClient
    let identity: ContactIdentities
    let tokens: OAuthTokens

    static func open(
        _ credentials: EngageCredentials, services: EngageRuntime.Services, settings: BehaviorSettings,
        identities: EngageIdentities, plugins: [any UBFAugmentationPlugin], folder: URL
    ) async throws -> EngageEngine {
        let server = try credentials.server(settings)
        let transport = services.transport ?? URLSessionTransport()
        let tokens = OAuthTokens(credentials.oauth, server: server, transport: transport)
        // The server identifies the app and the user by the token alone; the environment's id only names the files.
        var configuration = SessionConfiguration(
            environmentID: "engage:" + (server.host ?? ""), apiKey: "none", baseURL: server, folder: folder,
            clientVersion: services.app.version)
        configuration.opaqueTokens = OpaqueTokens(subject: credentials.oauth.clientID) {
            tokens.lifetime($0)
        }
        services.configure(&configuration)
        let session = try await InlaySession(
            configuration: configuration, transport: transport, clock: services.clock
        ) { try? await tokens.token() }
        let behaviors = session.startBehaviors(
            await Self.configuration(services, settings, identities, plugins, log: session.log))
        session.reportLastKnownPlaces()
        return EngageEngine(
            session: session, behaviors: behaviors, xmlapi: session.xmlapi,
            identity: session.makeContactIdentities {
                identities.identity
            } write: {
                identities.set($0)
            }, tokens: tokens)
    }

    private static func configuration(
        _ services: EngageRuntime.Services, _ settings: BehaviorSettings, _ identities: EngageIdentities,
        _ plugins: [any UBFAugmentationPlugin], log: DebugLog
    ) async -> BehaviorsConfiguration {
        var configuration = BehaviorsConfiguration()
        configuration.settings = settings
        configuration.device = services.device
        configuration.app = services.app
        configuration.identity = { identities.identity }
        configuration.location = await services.location(settings.location)
        configuration.network = services.network
        configuration.deepLinks = services.deepLinks().flatMap { links($0, log) }
        for plugin in plugins {
            configuration.augmenters.append(await EngageAugmenter(plugin, context: .shared))
        }
        return configuration
    }

    /// Returns the app's routes of links, without the invalid ones; `nil` for an invalid file. Logs each problem.
    private static func links(_ json: Data, _ log: DebugLog) -> DeepLinkConfiguration? {
        do throws(DeepLinkError) {
            let configuration = try DeepLinkConfiguration(json: json)
            for problem in configuration.problems { log.mistake("MobileDeepLinkingConfig.json: \(problem)") }
            return configuration
        } catch {
            log.mistake("MobileDeepLinkingConfig.json cannot be read: \(error)")
            return nil
        }
    }
}

/// An adapter from an EngageSDK plug-in to `BehaviorAugmenter`.
private struct EngageAugmenter: BehaviorAugmenter {
    private let plugin: any UBFAugmentationPlugin
    let processesSynchronously: Bool

    @MainActor init(_ plugin: any UBFAugmentationPlugin, context: EngageContext) {
        self.plugin = plugin
        plugin.setContext(context)
        processesSynchronously = plugin.processSyncronously()
    }

    func isSupplementalDataReady() async -> Bool { await plugin.isSupplementalDataReady() }

    func process(_ event: BehaviorEvent) async throws -> BehaviorEvent {
        let fields = EngageRuntime.shared.settings.fields
        let result = await MainActor.run { plugin.process(UBF(event)).attributes(fields) }
        var changed = event
        changed.attributes = event.attributes.compactMap { attribute in
            result[attribute.name].map { .init(name: attribute.name, value: $0) }
        }
        for (name, value) in result.sorted(by: { $0.key < $1.key }) where event[name] == nil {
            changed.set(name, value)
        }
        return changed
    }
}
