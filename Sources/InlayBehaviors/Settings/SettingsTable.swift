public import Foundation
public import InlayWire

/// Settings by group and key, as two property lists say them: the defaults, and over them the app's.
///
/// What the app's list has counts key by key: a group in it that names one key leaves the other keys of
/// the group at their defaults. Read once; later changes of a file change nothing.
public struct SettingsTable: Hashable, Sendable {
    /// The values by group, then by key.
    public private(set) var groups: [String: [String: JSONValue]]

    /// A table of these values.
    public init(_ groups: [String: [String: JSONValue]] = [:]) { self.groups = groups }

    /// The table of a property list, XML or binary: a dictionary of dictionaries.
    ///
    /// - Throws: `SettingsError` when the bytes are no such list. Single values of other kinds (dates,
    ///   data) are left out.
    public init(propertyList: Data) throws(SettingsError) {
        let any: Any
        do {
            any = try PropertyListSerialization.propertyList(from: propertyList, format: nil)
        } catch {
            throw .unreadable(String(describing: error))
        }
        guard let top = any as? [String: Any] else { throw .unreadable("the list is no dictionary") }
        groups = top.compactMapValues { group in
            (group as? [String: Any])?.compactMapValues(Self.value)
        }
    }

    /// The value of a group's key; `nil` when the table has none.
    public subscript(group: String, key: String) -> JSONValue? {
        get { groups[group]?[key] }
        set { groups[group, default: [:]][key] = newValue }
    }

    /// The value by the documented form of a name, `Group->key`.
    public subscript(name: String) -> JSONValue? {
        let parts = name.components(separatedBy: "->")
        guard parts.count == 2 else { return nil }
        return self[parts[0], parts[1]]
    }

    /// This table with every value that `other` has in place of its own.
    public func merging(_ other: SettingsTable) -> SettingsTable {
        SettingsTable(groups.merging(other.groups) { mine, theirs in mine.merging(theirs) { $1 } })
    }

    /// The table as an XML property list, to be copied and changed.
    public func propertyList() throws -> Data {
        let plain = groups.mapValues { $0.compactMapValues(Self.plain) }
        return try PropertyListSerialization.data(fromPropertyList: plain, format: .xml, options: 0)
    }

    private static func value(_ any: Any) -> JSONValue? {
        // A Boolean also answers to a cast to a number, and on Apple platforms the other way round.
        if let number = any as? NSNumber, isNumber(number) {
            return Int64(exactly: number.doubleValue).map { .integer($0) } ?? .number(number.doubleValue)
        }
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

    private static func plain(_ value: JSONValue) -> Any? {
        switch value {
        case .bool(let flag): flag
        case .integer(let number): Int(number)
        case .number(let number): number
        case .string(let text): text
        default: nil
        }
    }
}

/// Why settings could not be read.
public enum SettingsError: Error, Hashable, Sendable {
    /// The bytes are no property list of groups; says what is wrong.
    case unreadable(String)
}
