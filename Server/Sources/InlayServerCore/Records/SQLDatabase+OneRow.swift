package import InlaySQL
@_spi(Inlay) import InlayWire

extension SQLDatabase {
    /// Runs a statement that must change one row; throws `not-found` with the noun when it changes none.
    ///
    /// The error ends the transaction, so nothing else that belongs to it is stored either.
    package func changeOne(_ noun: String, _ sql: String, _ arguments: [SQLValue]) async throws {
        try await write { connection in
            guard try connection.execute(sql, arguments) == 1 else { throw Problem.notFound(noun) }
        }
    }
}
