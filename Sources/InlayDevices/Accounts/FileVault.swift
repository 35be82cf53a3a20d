import Foundation

/// Keeps the log-in as a file of the session's folder.
struct FileVault: AccountVault {
    private let file: PrivateFile

    init(_ configuration: DevicesConfiguration) { file = PrivateFile("log-in", configuration) }

    func load() async throws -> Data? { try file.load() }

    func save(_ data: Data?) async throws { try file.save(data) }
}
