import Foundation
public import InlayBehaviors
import InlayCore
@_spi(Inlay) import InlayWire

/// The connection between this app's user and a contact of the marketing database.
///
/// Every flow is a sequence of requests. Each request survives a crash, and a flow can be repeated from its start,
/// because finished steps change nothing. A requested flow that was not finished is stored, see `resume`. One flow runs
/// at a time.
public actor ContactIdentities {
    private let xmlapi: XMLAPIClient
    private let rules: IdentityRules
    private let flowStore: IdentityFlowStore
    private let clock: ServerClock
    private let makeID: @Sendable () -> String
    private let read: @Sendable () async throws -> BehaviorIdentity
    private let write: @Sendable (BehaviorIdentity) async throws -> Void
    private var operation: Task<Void, Never>?

    /// `read` and `write` access the identity that events contain.
    init(
        _ session: SessionContext, xmlapi: XMLAPIClient, rules: IdentityRules,
        makeID: @escaping @Sendable () -> String = { UUID().uuidString },
        read: @escaping @Sendable () async throws -> BehaviorIdentity,
        write: @escaping @Sendable (BehaviorIdentity) async throws -> Void
    ) {
        self.xmlapi = xmlapi
        self.rules = rules
        self.makeID = makeID
        (self.read, self.write) = (read, write)
        flowStore = IdentityFlowStore(session.store)
        clock = session.serverClock
    }

    /// Ensures that this app has an id and that a contact has this id; returns the identity with both.
    @discardableResult
    public func setUp() async throws(ContactIdentities.Failure) -> BehaviorIdentity {
        try await exclusively { () async throws(ContactIdentities.Failure) in
            try await self.identityWithContact()
        }
    }

    /// Identifies the user by columns of the database, for example a customer number.
    ///
    /// Waits for a network without a limit. The request to identify the user survives a restart.
    @discardableResult
    public func identify(_ columns: [XMLAPIRequest.Field]) async throws(ContactIdentities.Failure)
        -> ContactIdentities.Outcome
    {
        try await exclusively { () async throws(ContactIdentities.Failure) in
            try await self.stored { try await self.flowStore.setRequestedColumns(columns) }
            return try await self.recognize(columns)
        }
    }

    /// Repeats the identification that an earlier run did not finish; returns `nil` when there was none.
    @discardableResult
    public func resume() async throws(ContactIdentities.Failure) -> ContactIdentities.Outcome? {
        try await exclusively { () async throws(ContactIdentities.Failure) in
            guard let columns = try await self.stored({ try await self.flowStore.requestedColumns() }) else {
                return nil
            }
            return try await self.recognize(columns)
        }
    }

    /// Adds an anonymous contact and stores its id as the anonymous id, when the response has one.
    @discardableResult
    public func createAnonymous(list: String? = nil) async throws -> XMLAPIResponse {
        let response = try await xmlapi.send(.addAnonymousRecipient(list: list))
        if response.isSuccess, let id = response.recipientID {
            var identity = try await read()
            identity.anonymousID = id
            try await write(identity)
        }
        return response
    }

    /// Writes the primary user's id into a column of the anonymous contact and of the primary user's.
    ///
    /// Returns the response to the first request when it was refused, else the response to the second.
    @discardableResult
    public func linkAnonymous(
        to primaryUserID: String, list: String? = nil, primaryColumn: String, mergeColumn: String
    ) async throws -> XMLAPIResponse {
        let anonymousID = try await read().anonymousID
        guard !anonymousID.isEmpty, !primaryUserID.isEmpty else {
            throw ContactIdentities.Failure.nothingToMerge
        }
        let merge = [XMLAPIRequest.Field(mergeColumn, primaryUserID)]
        let first = try await xmlapi.send(
            .updateRecipient(id: anonymousID, list: list, columns: merge))
        guard first.isSuccess else { return first }
        var second = XMLAPIRequest(.updateRecipient, columns: merge)
        second["LIST_ID"] = list
        second.syncFields = [XMLAPIRequest.Field(primaryColumn, primaryUserID)]
        return try await xmlapi.send(second)
    }
}

// MARK: - The flows

extension ContactIdentities {
    private func identityWithContact() async throws(ContactIdentities.Failure) -> BehaviorIdentity {
        var identity = try await stored { try await self.read() }
        guard identity.primaryUserID.isEmpty || identity.recipientID.isEmpty else { return identity }
        let id = identity.primaryUserID.isEmpty ? try await newID() : identity.primaryUserID
        if identity.recipientID.isEmpty {
            let answer = try await sendSuccessfully(
                .addRecipient(column: rules.mobileUserIDColumn, id: id, updatesIfFound: true))
            identity.recipientID = answer.recipientID ?? ""
        } else {
            _ = try await sendSuccessfully(
                .updateRecipient(
                    id: identity.recipientID, columns: [.init(rules.mobileUserIDColumn, id)]))
        }
        identity.primaryUserID = id
        try await save(identity)
        return identity
    }

    // Stored before it is sent: after a crash in between, the next start must not create a second contact.
    private func newID() async throws(ContactIdentities.Failure) -> String {
        if let known = try await stored({ try await self.flowStore.newID() }) { return known }
        guard rules.createsAnonymous else { throw .nobody }
        let id = makeID()
        try await stored { try await self.flowStore.setNewID(id) }
        return id
    }

    private func recognize(_ columns: [XMLAPIRequest.Field]) async throws(ContactIdentities.Failure)
        -> ContactIdentities.Outcome
    {
        let current = try await identityWithContact()
        let answer = try await send(.selectRecipient(columns: columns))
        let outcome: ContactIdentities.Outcome
        if answer.isSuccess {
            outcome = try await switchContact(answer, current)
        } else if let fault = answer.fault, !fault.isNotFound {
            throw .fault(fault)
        } else {
            _ = try await sendSuccessfully(.updateRecipient(id: current.recipientID, columns: columns))
            outcome = .updated
        }
        try await stored { try await self.flowStore.setRequestedColumns(nil) }
        return outcome
    }

    private func switchContact(
        _ found: XMLAPIResponse, _ current: BehaviorIdentity
    ) async throws(ContactIdentities.Failure) -> ContactIdentities.Outcome {
        guard let recipientID = found.recipientID, recipientID != current.recipientID else {
            return .unchanged
        }
        let known = found.columns[rules.mobileUserIDColumn] ?? ""
        // The found contact has this app's id when an earlier run of the flow got this far.
        let isAdopted = known.isEmpty || known == current.primaryUserID
        if isAdopted, known.isEmpty {
            _ = try await sendSuccessfully(
                .updateRecipient(
                    id: recipientID, columns: [.init(rules.mobileUserIDColumn, current.primaryUserID)]))
        }
        try await mark(current.recipientID, mergedInto: recipientID, givesUpID: isAdopted)
        var identity = current
        identity.recipientID = recipientID
        if !isAdopted { identity.primaryUserID = known }
        try await audit(current.recipientID, recipientID)
        try await save(identity)
        return isAdopted ? .adopted : .merged
    }

    private func mark(
        _ old: String, mergedInto new: String, givesUpID: Bool
    ) async throws(ContactIdentities.Failure) {
        var columns: [XMLAPIRequest.Field] = givesUpID ? [.init(rules.mobileUserIDColumn, "")] : []
        if rules.marksMerged {
            columns += [.init(rules.mergedDateColumn, now), .init(rules.mergedRecipientIDColumn, new)]
        }
        guard !columns.isEmpty else { return }
        _ = try await sendSuccessfully(.updateRecipient(id: old, columns: columns))
    }

    private func audit(_ old: String, _ new: String) async throws(ContactIdentities.Failure) {
        guard let table = rules.auditTableID else { return }
        let names = rules.auditColumns
        // The same pair gives the same row, however often the flow is repeated.
        let row: [XMLAPIRequest.Field] = [
            .init(names.id, "\(old)-\(new)"), .init(names.oldRecipientID, old),
            .init(names.newRecipientID, new), .init(names.created, now),
        ]
        _ = try await sendSuccessfully(.insertUpdateRows([row], table: table))
    }

    private var now: String { MergeDate.text(clock.now()) }
}

// MARK: - Steps

extension ContactIdentities {
    private func sendSuccessfully(_ request: XMLAPIRequest) async throws(ContactIdentities.Failure)
        -> XMLAPIResponse
    {
        let answer = try await send(request)
        guard answer.isSuccess else {
            throw .fault(answer.fault ?? XMLAPIResponse.Fault("refused without a reason"))
        }
        return answer
    }

    private func send(_ request: XMLAPIRequest) async throws(ContactIdentities.Failure) -> XMLAPIResponse {
        do throws(XMLAPIError) { return try await xmlapi.send(request) } catch { throw .failed(error) }
    }

    private func save(_ identity: BehaviorIdentity) async throws(ContactIdentities.Failure) {
        try await stored { try await self.write(identity) }
        try await stored { try await self.flowStore.setNewID(nil) }
    }

    private func stored<Value: Sendable>(
        _ body: () async throws -> Value
    ) async throws(ContactIdentities.Failure) -> Value {
        do { return try await body() } catch { throw .notStored(error) }
    }

    // Two flows at once would adopt one contact each.
    private func exclusively<Value: Sendable>(
        _ body: () async throws(ContactIdentities.Failure) -> Value
    ) async throws(ContactIdentities.Failure) -> Value {
        while let operation { await operation.value }
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        // Ends with the flow, whose end finishes the stream.
        operation = Task { for await _ in ended {} }
        defer {
            operation = nil
            end.finish()
        }
        return try await body()
    }
}

extension ContactIdentities {
    /// The reason why the user could not be identified. Finished steps are not undone, and repeating them is safe.
    public enum Failure: Error, Sendable {
        /// The database refused a step.
        case fault(XMLAPIResponse.Fault)
        /// A step brought no response.
        case failed(XMLAPIError)
        /// The user is unknown, and the rules create no contact for unknown users.
        case nobody
        /// There is no anonymous id or no primary user id, so that two contacts cannot be linked.
        case nothingToMerge
        /// The result could not be stored; holds the cause.
        case notStored(any Error)
    }
}

extension ContactIdentities {
    /// The outcome of an identification.
    public enum Outcome: String, Hashable, Sendable {
        /// No contact had these values: they were written to the current contact.
        case updated
        /// The values belong to a contact without an app's id: it received this app's id and is now the current
        /// contact.
        case adopted
        /// The values belong to a contact with another app's id: this id and contact are now the current ones.
        case merged
        /// The values belong to the current contact.
        case unchanged
    }
}

/// The database's format of dates: `MM/dd/yyyy HH:mm:ss` in GMT.
private enum MergeDate {
    static func text(_ moment: Timestamp) -> String {
        let text = Array(moment.rfc3339)
        func part(_ range: Range<Int>) -> String { String(text[range]) }
        return part(5..<7) + "/" + part(8..<10) + "/" + part(0..<4) + " " + part(11..<19)
    }
}
