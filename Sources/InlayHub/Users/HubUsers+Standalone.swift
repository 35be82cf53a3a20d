package import InlayCore

extension HubUsers {
    /// The users of an environment, for a facade whose calls come before there is a session.
    package convenience init(_ configuration: SessionConfiguration) {
        self.init(HubDatabase(HubPlace(configuration).database))
    }
}
