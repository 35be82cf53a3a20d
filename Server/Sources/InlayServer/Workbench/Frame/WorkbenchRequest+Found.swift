import InlayWire

extension WorkbenchRequest {
    /// The object that a part of the address names, `container` for example; throws `not-found`.
    ///
    /// Stores look up by environment and id, so an id of another environment finds nothing.
    func found<Object>(
        _ name: String, _ look: (_ environmentID: String, _ id: String) async throws -> Object?
    ) async throws -> Object {
        guard let object = try await look(environmentID, parameter(name)) else {
            throw Problem.notFound(name)
        }
        return object
    }
}
