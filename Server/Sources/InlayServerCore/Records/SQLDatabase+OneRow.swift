package import InlaySQL
@_spi(Inlay) import InlayWire

extension SQLDatabase {
    /// Runs a statement that must change one row; throws `not-found` with the noun when it changes none.
    ///
    /// The error ends the transaction, so nothing else that belongs to it is stored either.
    ///
    /// - Parameter name: The name of an object of the server; `nil` for one of an environment.
    package func changeOne(
        _ noun: String, named name: String? = nil, _ sql: String, _ arguments: [SQLValue]
    ) async throws {
        try await write { connection in
            guard try connection.execute(sql, arguments) == 1 else {
                throw name.map { Problem.notFound(noun, named: $0) } ?? .notFound(noun)
            }
        }
    }
}
