package import InlaySQL
@_spi(Inlay) package import InlayWire

/// A kind of condition on users of which segments are made, for example that they did something lately.
///
/// A feature contributes conditions over its own tables in ``ServerFeature/audienceConditions``. Segments know them by
/// their ``kind`` only, so a condition needs no change anywhere else.
package protocol AudienceCondition: Sendable {
    /// A condition as it is stored in a segment. Its form may only grow, because stored ones must stay readable.
    associatedtype Definition: Codable & Sendable

    /// The name in stored segments and in forms: letters only, unique among all features, and never changed.
    var kind: String { get }

    /// The name on screen, behind "The user": `did`.
    var label: String { get }

    /// The name of the opposite: `did not do`.
    var oppositeLabel: String { get }

    /// Returns the fields of the condition's form in their order, with what can be chosen in the environment.
    func fields(in audience: AudienceContext) throws -> [AudienceField]

    /// Returns a definition as values of the form's fields.
    func values(of definition: Definition) -> [String: String]

    /// Reads the values of the form's fields, of which any may be missing. Throws `FieldErrors` by the fields' names.
    func definition(from values: [String: String]) throws(FieldErrors) -> Definition

    /// Returns the users who match a definition.
    ///
    /// Throws `FieldErrors` by the fields' names for a definition that cannot be evaluated. It is then not saved, and
    /// a segment in which it is stored, for example with a list that was removed since, has no users.
    func users(_ definition: Definition, in audience: AudienceContext) throws -> AudienceQuery
}

/// The environment and the moment for which a condition is evaluated.
package struct AudienceContext {
    /// The environment of the users. A condition reads nothing of others.
    package let environmentID: EnvironmentID
    package let now: Timestamp
    package let connection: any SQLConnection

    /// The environment at a moment, on a connection.
    package init(environmentID: EnvironmentID, now: Timestamp, connection: any SQLConnection) {
        self.environmentID = environmentID
        self.now = now
        self.connection = connection
    }
}

/// A condition with a decoded definition, which can be evaluated many times.
package struct DecodedCondition: Sendable {
    /// Returns the users who match; throws as ``AudienceCondition/users(_:in:)`` does.
    package let users: @Sendable (AudienceContext) throws -> AudienceQuery
}

extension AudienceCondition {
    /// Decodes a stored definition. Throws `FieldErrors` for one that cannot be read.
    package func decoded(_ stored: JSONValue) throws(FieldErrors) -> DecodedCondition {
        guard let definition = definition(stored) else {
            throw FieldErrors("kind", "The stored condition cannot be read.")
        }
        return DecodedCondition { try users(definition, in: $0) }
    }

    /// Returns a stored definition as values of the form's fields; none for one that cannot be read.
    package func values(stored: JSONValue) -> [String: String] { definition(stored).map(values(of:)) ?? [:] }

    /// Reads the values of the form's fields into a definition to store.
    package func stored(from values: [String: String]) throws -> JSONValue {
        try JSONColumn.value(JSONColumn.text(try definition(from: values)))
    }

    private func definition(_ stored: JSONValue) -> Definition? {
        try? JSONColumn.value(JSONColumn.text(stored))
    }
}
