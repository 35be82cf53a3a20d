import Foundation
import InlayGTK

/// An app of Harbor, a fictional ferry company, for Linux desktops. `make demo ARGS=--gtk` starts it with its server.
@main enum HarborGTK {
    @MainActor static func main() throws {
        let settings = try Settings(ProcessInfo.processInfo.environment)
        try SurfaceWindow.run {
            let harbor = try await Harbor(settings)
            await harbor.untilClosed()
        }
    }
}

/// The settings that an app contains or gets from its company's back end; here the demo passes them in the environment.
struct Settings: Sendable {
    let server: URL
    let environmentID: String
    let apiKey: String
    /// The token that identifies the passenger to the server; a real app fetches it from its company's back end.
    let token: String
    let folder: URL

    struct Missing: Error, CustomStringConvertible {
        let name: String
        var description: String { "\(name) is not set: start Harbor with `make demo ARGS=--gtk`" }
    }

    init(_ environment: [String: String]) throws {
        func value(_ name: String) throws -> String {
            guard let value = environment[name], !value.isEmpty else { throw Missing(name: name) }
            return value
        }
        guard let server = URL(string: try value("HARBOR_SERVER")) else {
            throw Missing(name: "HARBOR_SERVER")
        }
        self.server = server
        environmentID = try value("HARBOR_ENVIRONMENT")
        apiKey = try value("HARBOR_API_KEY")
        token = try value("HARBOR_TOKEN")
        folder = URL(fileURLWithPath: try value("HARBOR_FOLDER"))
    }
}
