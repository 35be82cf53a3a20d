package import InlaySQL
@_spi(Inlay) import InlayWire

extension SQLDatabase {
    /// Runs a statement that must change exactly one row; otherwise throws `not-found`, with the noun in its title.
    ///
    /// The error rolls the transaction back, so none of its other changes are stored either.
    ///
    /// - Parameter name: The name of the object when it belongs to the whole server; `nil` when it belongs to an
    ///   environment.
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
