package import InlayServerCore
@_spi(Inlay) import InlayWire

extension WorkbenchRequest {
    /// The object that a part of the address names, `container` for example; throws `not-found`.
    ///
    /// Stores look up by environment and id, so an id of another environment finds nothing.
    package func found<Object>(
        _ name: String, _ look: (_ environmentID: EnvironmentID, _ id: String) async throws -> Object?
    ) async throws -> Object {
        guard let object = try await look(environmentID, parameter(name)) else {
            throw Problem.notFound(name)
        }
        return object
    }

    /// The same for an object with a typed id.
    package func found<Object, ID: RecordID>(
        _ name: String, _ look: (_ environmentID: EnvironmentID, _ id: ID) async throws -> Object?
    ) async throws -> Object {
        try await found(name) { environmentID, id in try await look(environmentID, ID(id)) }
    }
}
