import Foundation

/// The demo's app in a window of its own: another program, and for the server another device of the same passenger.
enum DemoWindow {
    /// Starts the program, which gets in its environment what an app contains or gets from its company's back end.
    static func open(_ program: URL, _ harbor: DemoHarbor, folder: URL) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // This program ignores signals that it handles itself, and programs that it starts would inherit that.
        process.arguments = ["--default-signal=TERM,INT", program.path]
        var environment = ProcessInfo.processInfo.environment
        environment["HARBOR_SERVER"] = harbor.address.absoluteString
        environment["HARBOR_ENVIRONMENT"] = HarborCompany.environmentID.rawValue
        environment["HARBOR_API_KEY"] = harbor.apiKey
        environment["HARBOR_TOKEN"] = try harbor.signer.token(
            user: HarborCompany.maya.rawValue, life: .seconds(12 * 3600))
        environment["HARBOR_FOLDER"] = folder.appendingPathComponent("window").path
        process.environment = environment
        try process.run()
        return process
    }
}
