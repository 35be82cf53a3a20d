/// The id of a device account; unique within an environment.
package struct AccountID: RecordID {
    package let rawValue: String

    package init(verified rawValue: String) { self.rawValue = rawValue }
}
