/// An action that is on its way: done for the user, stored on the device, and sent as soon as it can be.
public struct CardActionTicket: Sendable, Identifiable {
    /// The action's id; the server applies it once.
    public let id: String
    private let outcome: @Sendable () async -> Result<Void, CardActionError>

    init(id: String, outcome: @escaping @Sendable () async -> Result<Void, CardActionError>) {
        self.id = id
        self.outcome = outcome
    }

    /// Waits for the server's word.
    ///
    /// Throws `refused` when the server said no, and `notSent` as soon as sending failed; the action is
    /// then kept and sent later all the same.
    public func confirmed() async throws(CardActionError) { try await outcome().get() }
}
