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

extension AuditLog {
    /// Notes what the person of a request did to an object of its environment.
    func record(
        _ action: String, _ subject: String, by request: WorkbenchRequest, detail: String? = nil
    ) async throws {
        try await record(
            action, subject: subject, by: request.someone.login, environmentID: request.environmentID,
            detail: detail)
    }
}
