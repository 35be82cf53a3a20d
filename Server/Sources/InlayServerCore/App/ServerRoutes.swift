package import Hummingbird

/// The route groups of a feature, by who may call them. Paths are whole: `v1/cards/counts`.
package struct ServerRoutes {
    /// For everyone: nothing has been checked but the address's rate.
    package let root: RouterGroup<ServerContext>
    /// For apps: environment, API key and the user's token have been verified.
    package let client: RouterGroup<ClientContext>
    /// For an environment's backend: its secret key has been verified.
    package let backend: RouterGroup<BackendContext>
    /// Answers for addresses that have no route.
    package let unknown: UnknownAddresses
}
