import InlayAdsServer
import InlayHubServer
import InlaySQL
package import InlayServerCore
@_spi(Inlay) import InlayWire

extension InlayServer {
    /// The private keys in the database.
    package var sealedKeys: SealedKeys {
        SealedKeys(
            database: services.database, box: services.secretBox,
            stores: features.all.flatMap(\.sealedKeys))
    }

    /// Checks now whether the content secret is the right one, and not only when something is to be signed.
    ///
    /// A server does not start when the secret opens none of the keys: it would refuse ads and let content go stale,
    /// and look healthy. A command does not check the secret until it needs it.
    func checkContentSecret(isServing: Bool) async throws {
        let all = try await sealedKeys.all()
        if all.all == 0 { return services.secretBox.allowSecretCreation() }
        guard isServing else { return }
        let unreadable = try await sealedKeys.counts().unreadable
        guard unreadable.all > 0 else { return }
        guard unreadable != all else { throw Self.secretError(services) }
        services.logger.critical(
            "Some keys were sealed with another content secret; 'inlay key lost-secret' says more",
            metadata: .init(uniqueKeysWithValues: unreadable.byOwner.map { ($0.key, "\($0.value)") }))
    }

    private static func secretError(_ services: ServerServices) -> ConfigurationError {
        let path = services.configuration.contentSecretPath
        let fault =
            services.secretBox.isSecretMissing
            ? "there is no such file" : "it is not the one they were sealed with"
        return ConfigurationError(
            description: """
                The private keys in the database cannot be opened with the content secret \(path): \(fault). Put \
                the copy of that file there, or name it with INLAY_CONTENT_SECRET_FILE. If it is lost for good, \
                'inlay key lost-secret' says what can be done.
                """)
    }
}
