package import Hummingbird

/// The route groups of a feature, by who may call them. Paths are whole: `v1/cards/counts`.
package struct ServerRoutes {
    /// For everyone: only the address's rate has been checked.
    package let root: RouterGroup<ServerContext>
    /// For apps: environment, API key and the user's token have been verified.
    package let client: RouterGroup<ClientContext>
    /// For an environment's backend: its secret key has been verified.
    package let backend: RouterGroup<BackendContext>
    /// Answers for addresses that have no route.
    package let unknown: UnknownAddresses
    private let router: FeatureRouter

    /// The groups of a feature's router, of which those for apps and backends are behind their gates.
    init(
        _ router: FeatureRouter, client: RouterGroup<ServerContext>, backend: RouterGroup<ServerContext>,
        unknown: UnknownAddresses
    ) {
        root = router.group()
        self.client = client.group(context: ClientContext.self)
        self.backend = backend.group(context: BackendContext.self)
        self.unknown = unknown
        self.router = router
    }

    /// Returns the same group as ``root`` for routes that a feature adds for one of its parts. Errors name this owner.
    package func root(of owner: String) -> RouterGroup<ServerContext> {
        FeatureRouter(router: router.router, owner: owner, names: router.names).group()
    }
}
