import ArgumentParser
import InlayBehaviorsServer
import InlayHubServer
import InlayServerCore

// Not verified: the operator who runs the command can read and write the database anyway.
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
