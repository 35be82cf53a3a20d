@_spi(Inlay) import InlayWire

/// The maximum sizes and counts of a card's parts; over them, saving or sending is refused with the field's name.
enum CardLimits {
    /// Names, ids and titles, in Unicode scalars.
    static let nameLength = 128
    /// Category, headline, labels and texts of buttons, in Unicode scalars.
    static let lineLength = 280
    /// Elements of one level, those inside forms included.
    static let elements = 60
    /// Items of one list.
    static let listItems = 50
    static let subviews = 20
    static let variables = 50
    static let containers = 20
    /// The JSON of a whole definition, in bytes.
    static let definitionBytes = 256 << 10
    /// The value of a variable, in Unicode scalars.
    static let variableLength = 2_000
    /// Users named one by one in one event.
    static let namedUsers = 10_000
    /// Values of one submission, and the bytes of all their names and texts together.
    static let submittedValues = 100
    static let submittedBytes = CardSubmissionRules.maximumBytes
    /// The longest snooze or embargo of a card, in days.
    static let daysAhead: Int64 = 3_660
    /// Properties of an analytics event, and the bytes of their JSON.
    static let properties = 50
    static let propertyBytes = 8 << 10
}
