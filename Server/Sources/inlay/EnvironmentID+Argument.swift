import ArgumentParser
import InlayBehaviorsServer
import InlayHubServer
import InlayServerCore

// The user who runs the command owns the database.
extension EnvironmentID: ExpressibleByArgument {
    public init?(argument: String) { self.init(verified: argument) }
}

extension UserID: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

extension HubSourceID: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

extension ApplicationID: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

extension OAuthClientID: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}
