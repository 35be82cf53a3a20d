import ArgumentParser
import Foundation
import InlayServer
import InlayServerCore
import Logging

/// `inlay serve`: runs the server until a stop signal.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the server.",
        discussion: """
            Without settings: SQLite in ./.inlay, http://127.0.0.1:8080, and a random password for the operator \
            'admin', printed once. Every flag may come from the environment (--stop-seconds is \
            INLAY_STOP_SECONDS) or from the file of --config ({"stopSeconds": 10}). It stops on SIGTERM or \
            SIGINT after the requests in progress were answered. The exit status is 0 only after such a signal.
            """)

    @OptionGroup var options: ServerOptions
    @Option(help: "The address to listen on; default 127.0.0.1. 0.0.0.0 accepts connections from everywhere.")
    var host: String?
    @Option(help: "The port; 0 takes a free one. Default 8080.") var port: Int?
    @Option(
        help: "The address of this server behind a proxy, for example https://inlay.example.com.")
    var publicUrl: String?
    @Flag(
        help: """
            Take callers' addresses from X-Forwarded-For (or the header of INLAY_PROXY_HEADER); only behind a proxy \
            that sets it.
            """)
    var trustProxy = false
    @Flag(help: "A line for each request at level info.") var logRequests = false
    @Option(help: "Requests per second of one address; 0 for no limit. Default 2000.") var rateAddress: Int?
    @Option(help: "Requests per second of one key; 0 for no limit. Default 10000.") var rateKey: Int?
    @Option(help: "Requests per second of one user; 0 for no limit. Default 50.") var rateUser: Int?
    @Option(help: "Ad requests per second of one network; 0 for no limit. Default 20.") var rateAds: Int?
    @Option(help: "Sockets of one user; a further one closes the oldest. Default 16.") var socketsPerUser:
        Int?
    @Option(
        help: "Connections of one address; 0 for no limit. Default a quarter of what the process can hold.")
    var connectionsPerAddress: Int?
    @Option(help: "A file with the password of the first operator, 'admin'; without it one is printed.")
    var firstPasswordFile: String?
    @Option(help: "How long requests may take after a stop signal. Default 10.") var stopSeconds: Int?

    func run() async throws {
        try await options.withConfiguration(flags) { try await Self.serve($0) }
    }

    private static func serve(_ configuration: InlayServerConfiguration) async throws {
        let logger = ServerOptions.logger(configuration)
        let server = try await InlayServer.make(configuration, logger: logger)
        let first = try await server.services.operators.createFirst { try configuration.firstPassword() }
        if let first { greet(configuration.firstPasswordFile == nil ? first : nil) }
        try await server.runUntilSignal(logger: logger) { port in
            Output.line("Inlay listens on http://\(configuration.host):\(port)")
        }
    }

    private var flags: [String: String] {
        let texts: [String: String?] = [
            "host": host, "port": port.map(String.init), "publicUrl": publicUrl,
            "trustProxy": trustProxy ? "true" : nil, "logRequests": logRequests ? "true" : nil,
            "rateAddress": rateAddress.map(String.init), "rateKey": rateKey.map(String.init),
            "rateUser": rateUser.map(String.init), "rateAds": rateAds.map(String.init),
            "socketsPerUser": socketsPerUser.map(String.init),
            "stopSeconds": stopSeconds.map(String.init), "firstPasswordFile": firstPasswordFile,
            "connectionsPerAddress": connectionsPerAddress.map(String.init),
        ]
        return texts.compactMapValues(\.self)
    }

    private static func greet(_ password: String?) {
        guard let password else {
            return Output.line("This is the first start. Sign in as 'admin' with the password of the file.")
        }
        Output.line(
            """
            This is the first start. Sign in to the Workbench with
                login     admin
                password  \(password)
            It is shown only now, and you are asked for one of your own at the first sign-in.
            """)
    }
}
