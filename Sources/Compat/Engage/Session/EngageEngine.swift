import Foundation
package import InlayBehaviors
package import InlayCore
import InlayWire

/// The open session of the facade, with what hangs on it.
package struct EngageEngine: Sendable {
    package let session: InlaySession
    package let behaviors: Behaviors
    let xmlapi: XMLAPIClient
    let identity: ContactIdentities
    let tokens: OAuthTokens

    static func open(
        _ credentials: EngageCredentials, ground: EngageHost.Ground, settings: BehaviorSettings,
        identities: EngageIdentities, plugins: [any UBFAugmentationPlugin], folder: URL
    ) async throws -> EngageEngine {
        let server = try credentials.server(settings)
        let transport = ground.transport ?? URLSessionTransport()
        let tokens = OAuthTokens(credentials.oauth, server: server, transport: transport)
        // The server is told by the token alone who we are; the id only names the files.
        var configuration = SessionConfiguration(
            environmentID: "engage:" + (server.host ?? ""), apiKey: "none", baseURL: server, folder: folder,
            clientVersion: ground.app.version)
        configuration.opaqueTokens = OpaqueTokens(subject: credentials.oauth.clientID) {
            tokens.lifetime($0)
        }
        ground.configure(&configuration)
        let session = try await InlaySession(
            configuration: configuration, transport: transport, clock: ground.clock
        ) { try? await tokens.token() }
        let behaviors = session.startBehaviors(
            await Self.configuration(ground, settings, identities, plugins, log: session.log))
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
        _ ground: EngageHost.Ground, _ settings: BehaviorSettings, _ identities: EngageIdentities,
        _ plugins: [any UBFAugmentationPlugin], log: DebugLog
    ) async -> BehaviorsConfiguration {
        var configuration = BehaviorsConfiguration()
        configuration.settings = settings
        configuration.device = ground.device
        configuration.app = ground.app
        configuration.identity = { identities.identity }
        configuration.location = await ground.location(settings.location)
        configuration.network = ground.network
        configuration.deepLinks = ground.deepLinks().flatMap { links($0, log) }
        for plugin in plugins {
            configuration.augmenters.append(await EngageAugmenter(plugin, context: .shared))
        }
        return configuration
    }

    /// The app's routes. Logs why a file or a part of it cannot be used; links then fit no route.
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
