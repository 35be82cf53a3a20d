/// One operation on the marketing database. Its values need no escaping.
///
/// ```swift
/// var request = XMLAPIRequest(.selectRecipientData)
/// request.values = [.init("EMAIL", "someone@adomain.com")]
/// request.columns = [.init("Customer Id", "123-45-6789")]
/// ```
public struct XMLAPIRequest: Codable, Hashable, Sendable {
    /// A name with its value.
    public struct Field: Codable, Hashable, Sendable {
        /// The name of an element or of a column.
        public var name: String
        /// The value as text.
        public var value: String

        /// A name with its value.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The operation.
    public var operation: XMLAPIRequest.Operation
    /// Plain elements, in this order; `LIST_ID` always comes first.
    public var values: [Field]
    /// The columns to search by or to set: `COLUMN` elements.
    public var columns: [Field]
    /// The contact lists within a database to which the contact is added: `CONTACT_LISTS`.
    public var contactLists: [String]
    /// The rows of a relational table: `ROWS`, in CDATA sections.
    public var rows: [[Field]]
    /// The fields that decide whether a contact exists already: `SYNC_FIELDS`.
    public var syncFields: [Field]

    /// Creates a request; empty parts are left out.
    public init(
        _ operation: XMLAPIRequest.Operation, values: [Field] = [], columns: [Field] = [],
        contactLists: [String] = [], rows: [[Field]] = [], syncFields: [Field] = []
    ) {
        self.operation = operation
        self.values = values
        self.columns = columns
        self.contactLists = contactLists
        self.rows = rows
        self.syncFields = syncFields
    }

    /// The value of a plain element, whose name is compared without case; setting `nil` removes the element.
    public subscript(name: String) -> String? {
        get { values.first { $0.name.lowercased() == name.lowercased() }?.value }
        set {
            let place = values.firstIndex { $0.name.lowercased() == name.lowercased() }
            switch (place, newValue) {
            case (let place?, let value?): values[place].value = value
            case (let place?, nil): values.remove(at: place)
            case (nil, let value?): values.append(Field(name, value))
            case (nil, nil): break
            }
        }
    }

    /// Returns the request with `listID` when its operation needs a list and it has none.
    public func filled(listID: String?) -> Self {
        guard let listID, operation.takesList, self["LIST_ID"] == nil else { return self }
        var filled = self
        filled.values.insert(Field("LIST_ID", listID), at: 0)
        return filled
    }
}
