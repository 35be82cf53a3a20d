package import InlayServerCore
@_spi(Inlay) import InlayWire

extension WorkbenchRequest {
    /// Returns the object that a parameter of the path names, for example `container`; throws `not-found`.
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

    /// Returns the object with a typed id that a parameter of the path names; throws `not-found`.
    package func found<Object, ID: RecordID>(
        _ name: String, _ look: (_ environmentID: EnvironmentID, _ id: ID) async throws -> Object?
    ) async throws -> Object {
        try await found(name) { environmentID, id in try await look(environmentID, ID(id)) }
    }
}
