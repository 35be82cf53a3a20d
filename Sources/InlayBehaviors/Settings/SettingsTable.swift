package import Foundation
@_spi(Inlay) package import InlayWire

/// Settings by group and key, from a property list.
///
/// `merging(_:)` combines the defaults and the app's list key by key: a group of the app's list with one key
/// leaves the other keys of the group at their defaults.
package struct SettingsTable: Hashable, Sendable {
    /// The values by group, then by key.
    public private(set) var groups: [String: [String: JSONValue]]

    /// Creates a table of these values.
    public init(_ groups: [String: [String: JSONValue]] = [:]) { self.groups = groups }

    /// Reads a property list, XML or binary: a dictionary of dictionaries. Values that are dates or data are
    /// left out.
    ///
    /// - Throws: `BehaviorSettings.Unreadable` when the bytes are no such list.
    public init(propertyList: Data) throws(BehaviorSettings.Unreadable) {
        let list: Any
        do {
            list = try PropertyListSerialization.propertyList(from: propertyList, format: nil)
        } catch {
            throw .unreadable(String(describing: error))
        }
        guard let dictionary = list as? [String: Any] else { throw .unreadable("the list is no dictionary") }
        groups = dictionary.compactMapValues { group in
            (group as? [String: Any])?.compactMapValues(Self.jsonValue)
        }
    }

    /// The value of a group's key; `nil` when the table has none.
    public subscript(group: String, key: String) -> JSONValue? {
        get { groups[group]?[key] }
        set { groups[group, default: [:]][key] = newValue }
    }

    /// The value of a name in the documented form, `Group->key`; `nil` when the table has none.
    public subscript(name: String) -> JSONValue? {
        let parts = name.components(separatedBy: "->")
        guard parts.count == 2 else { return nil }
        return self[parts[0], parts[1]]
    }

    /// Returns this table with the values of `other`, which replace the values of this table.
    public func merging(_ other: SettingsTable) -> SettingsTable {
        SettingsTable(groups.merging(other.groups) { mine, theirs in mine.merging(theirs) { $1 } })
    }

    /// Returns the table as an XML property list, for apps to copy and change.
    public func propertyList() throws -> Data {
        let list = groups.mapValues { $0.compactMapValues(Self.propertyListValue) }
        return try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
    }

    private static func jsonValue(_ any: Any) -> JSONValue? {
        // First, because a Boolean can be cast to a number, and on Apple platforms a number to a Boolean.
        if let number = any as? NSNumber, isNumber(number) { return JSONValue(number) }
        switch any {
        case let flag as Bool: return .bool(flag)
        case let number as Int: return .integer(Int64(number))
        case let number as Double: return .number(number)
        case let text as String: return .string(text)
        default: return nil
        }
    }

    private static func isNumber(_ number: NSNumber) -> Bool {
        let type = String(cString: number.objCType)
        return type != "c" && type != "B"
    }

    private static func propertyListValue(_ value: JSONValue) -> Any? {
        switch value {
        case .bool(let flag): flag
        case .integer(let number): Int(number)
        case .number(let number): number
        case .string(let text): text
        default: nil
        }
    }
}

extension BehaviorSettings {
    /// An error in reading settings.
    public enum Unreadable: Error, Hashable, Sendable {
        /// The bytes are no property list of groups; the text is the reason.
        case unreadable(String)
    }
}
