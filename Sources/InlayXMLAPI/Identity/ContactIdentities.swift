import Foundation
public import InlayBehaviors
import InlayCore
@_spi(Inlay) import InlayWire

/// Finds out and keeps which contact of the marketing database this app's user is.
///
/// Every flow is a row of requests, each safe from a crash, and can be walked again from its start: a
/// step that was done already changes nothing. What was asked for and not finished is known at the next
/// start, see `resume`. One flow runs at a time.
public actor ContactIdentities {
    private let xmlapi: XMLAPIClient
    private let rules: IdentityRules
    private let memory: IdentityMemory
    private let clock: ServerClock
    private let makeID: @Sendable () -> String
    private let read: @Sendable () async throws -> BehaviorIdentity
    private let write: @Sendable (BehaviorIdentity) async throws -> Void
    private var operation: Task<Void, Never>?

    /// `read` and `write` reach the identity that events carry.
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
        memory = IdentityMemory(session.store)
        clock = session.serverClock
    }

    /// Makes sure that this app has an id and that a contact carries it; returns both.
    @discardableResult
    public func setUp() async throws(ContactIdentities.Failure) -> BehaviorIdentity {
        try await alone { () async throws(ContactIdentities.Failure) in try await self.settled() }
    }

    /// Says who the user is by columns of the database, for example a customer number.
    ///
    /// Waits for a network as long as it takes. What was asked for survives a restart.
    @discardableResult
    public func identify(_ columns: [XMLAPIRequest.Field]) async throws(ContactIdentities.Failure)
        -> ContactIdentities.Outcome
    {
        try await alone { () async throws(ContactIdentities.Failure) in
            try await self.stored { try await self.memory.setWanted(columns) }
            return try await self.recognize(columns)
        }
    }

    /// Walks again what an earlier run did not finish; `nil` when there was nothing.
    @discardableResult
    public func resume() async throws(ContactIdentities.Failure) -> ContactIdentities.Outcome? {
        try await alone { () async throws(ContactIdentities.Failure) in
            guard let columns = try await self.stored({ try await self.memory.wanted() }) else { return nil }
            return try await self.recognize(columns)
        }
    }

    /// Adds an anonymous contact and keeps its id as the anonymous id, when the answer has one.
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
    /// The answer of the first request that was refused, else of the second.
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
    private func settled() async throws(ContactIdentities.Failure) -> BehaviorIdentity {
        var identity = try await stored { try await self.read() }
        guard identity.primaryUserID.isEmpty || identity.recipientID.isEmpty else { return identity }
        let id = identity.primaryUserID.isEmpty ? try await draft() : identity.primaryUserID
        if identity.recipientID.isEmpty {
            let answer = try await ask(
                .addRecipient(column: rules.mobileUserIDColumn, id: id, updatesIfFound: true))
            identity.recipientID = answer.recipientID ?? ""
        } else {
            _ = try await ask(
                .updateRecipient(
                    id: identity.recipientID, columns: [.init(rules.mobileUserIDColumn, id)]))
        }
        identity.primaryUserID = id
        try await keep(identity)
        return identity
    }

    // Kept before it is sent: after a crash in between, the next start must not make a second person.
    private func draft() async throws(ContactIdentities.Failure) -> String {
        if let known = try await stored({ try await self.memory.draft() }) { return known }
        guard rules.createsAnonymous else { throw .nobody }
        let id = makeID()
        try await stored { try await self.memory.setDraft(id) }
        return id
    }

    private func recognize(_ columns: [XMLAPIRequest.Field]) async throws(ContactIdentities.Failure)
        -> ContactIdentities.Outcome
    {
        let current = try await settled()
        let answer = try await send(.selectRecipient(columns: columns))
        let outcome: ContactIdentities.Outcome
        if answer.isSuccess {
            outcome = try await take(answer, current)
        } else if let fault = answer.fault, !fault.isNotFound {
            throw .fault(fault)
        } else {
            _ = try await ask(.updateRecipient(id: current.recipientID, columns: columns))
            outcome = .updated
        }
        try await stored { try await self.memory.setWanted(nil) }
        return outcome
    }

    private func take(
        _ found: XMLAPIResponse, _ current: BehaviorIdentity
    ) async throws(ContactIdentities.Failure) -> ContactIdentities.Outcome {
        guard let recipientID = found.recipientID, recipientID != current.recipientID else {
            return .unchanged
        }
        let known = found.columns[rules.mobileUserIDColumn] ?? ""
        // Its own id there means that an earlier walk got this far.
        let isAdopted = known.isEmpty || known == current.primaryUserID
        if isAdopted, known.isEmpty {
            _ = try await ask(
                .updateRecipient(
                    id: recipientID, columns: [.init(rules.mobileUserIDColumn, current.primaryUserID)]))
        }
        try await mark(current.recipientID, mergedInto: recipientID, givesUpID: isAdopted)
        var identity = current
        identity.recipientID = recipientID
        if !isAdopted { identity.primaryUserID = known }
        try await audit(current.recipientID, recipientID)
        try await keep(identity)
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
        _ = try await ask(.updateRecipient(id: old, columns: columns))
    }

    private func audit(_ old: String, _ new: String) async throws(ContactIdentities.Failure) {
        guard let table = rules.auditTableID else { return }
        let names = rules.auditColumns
        // The same pair makes the same row, however often the flow is walked.
        let row: [XMLAPIRequest.Field] = [
            .init(names.id, "\(old)-\(new)"), .init(names.oldRecipientID, old),
            .init(names.newRecipientID, new), .init(names.created, now),
        ]
        _ = try await ask(.insertUpdateRows([row], table: table))
    }

    private var now: String { MergeDate.text(clock.now()) }
}

// MARK: - Steps

extension ContactIdentities {
    private func ask(_ request: XMLAPIRequest) async throws(ContactIdentities.Failure) -> XMLAPIResponse {
        let answer = try await send(request)
        guard answer.isSuccess else {
            throw .fault(answer.fault ?? XMLAPIResponse.Fault("refused without a reason"))
        }
        return answer
    }

    private func send(_ request: XMLAPIRequest) async throws(ContactIdentities.Failure) -> XMLAPIResponse {
        do throws(XMLAPIError) { return try await xmlapi.send(request) } catch { throw .failed(error) }
    }

    private func keep(_ identity: BehaviorIdentity) async throws(ContactIdentities.Failure) {
        try await stored { try await self.write(identity) }
        try await stored { try await self.memory.setDraft(nil) }
    }

    private func stored<Value: Sendable>(
        _ body: () async throws -> Value
    ) async throws(ContactIdentities.Failure) -> Value {
        do { return try await body() } catch { throw .notStored(error) }
    }

    // Two flows at once would each adopt a contact of their own.
    private func alone<Value: Sendable>(
        _ body: () async throws(ContactIdentities.Failure) -> Value
    ) async throws(ContactIdentities.Failure) -> Value {
        while let operation { await operation.value }
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        // Ends when the flow that it stands for ends.
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
        /// A step brought no answer.
        case failed(XMLAPIError)
        /// Nobody is known, and the rules make no contact for the unknown.
        case nobody
        /// There is no anonymous id, or no primary user id, so there is nothing to tie together.
        case nothingToMerge
        /// The store did not take the result; holds the cause.
        case notStored(any Error)
    }
}

extension ContactIdentities {
    /// The outcome of an identification.
    public enum Outcome: String, Hashable, Sendable {
        /// Nobody had these values: they were written to the contact in use.
        case updated
        /// The values belong to a contact that no app knew: it got this app's id, and is in use now.
        case adopted
        /// The values belong to a contact that an app knew: its id and contact are in use now.
        case merged
        /// The values belong to the contact in use.
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
