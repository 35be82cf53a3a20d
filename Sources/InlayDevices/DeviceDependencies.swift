import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayWire

/// The objects and settings that all parts of Devices share.
struct DeviceDependencies: Sendable {
    let configuration: DevicesConfiguration
    /// The app's transport without a gate, for sessions, which add their own.
    let plainTransport: any Transport
    let transport: GatedTransport
    let clock: any SessionClock
    let vault: any AccountVault
    let serverClock: ServerClock

    init(
        _ configuration: DevicesConfiguration, _ transport: any Transport, _ clock: any SessionClock
    ) throws {
        self.configuration = configuration
        plainTransport = transport
        self.transport = GatedTransport(transport, gate: configuration.session.gate)
        self.clock = clock
        serverClock = ServerClock(clock: clock)
        vault = configuration.vault ?? FileVault(configuration)
    }

    /// The headers that identify the application.
    var applicationHeaders: [String: String] {
        [
            InlayHeader.application: configuration.applicationID,
            InlayHeader.applicationSecret: configuration.applicationSecret,
        ]
    }

    func address(_ path: String) -> String {
        APICall("GET", path).url(below: configuration.session.baseURL)?.absoluteString ?? ""
    }

    func body(_ value: some Encodable) throws(AccountError) -> Data {
        do { return try JSONEncoder().encode(value) } catch { throw .storage(String(describing: error)) }
    }
}

/// A vault that stores the log-in in a file of the session's folder.
private struct FileVault: AccountVault {
    private let file: PrivateFile

    init(_ configuration: DevicesConfiguration) { file = PrivateFile("log-in", configuration) }

    func load() async throws -> Data? { try file.load() }

    func save(_ data: Data?) async throws { try file.save(data) }
}
