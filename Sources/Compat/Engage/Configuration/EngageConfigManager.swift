public import Foundation
internal import InlayBehaviors
@_spi(Inlay) import InlayWire

/// EngageSDK's access to the settings: the defaults, overridden by `EngageConfig.plist`.
///
/// They are read once in the life of the process. A field is asked for by the constants of
/// `EngageConfig`; one that is in neither list is `nil`.
public final class EngageConfigManager: NSObject, Sendable {
    private let settings: BehaviorSettings

    private init(_ settings: BehaviorSettings) { self.settings = settings }

    /// The settings of this process.
    public static func sharedInstance() -> EngageConfigManager {
        EngageConfigManager(EngageRuntime.shared.settings)
    }

    /// The property list with every default, as a file to be copied as `EngageConfig.plist`.
    public static var defaultsPropertyList: Data {
        get throws { try SettingsTable.defaults.propertyList() }
    }

    /// The value of a setting by its documented name, for example `General->ubfEventCacheSize`.
    public func config(forName name: String) -> Any? { settings.table[name].flatMap(Self.plain) }

    /// A setting of the group `General`.
    public func config(forGeneralFieldName name: String) -> String? { text("General", name) }

    /// A setting of the group `General` that is a number.
    public func numberConfig(forGeneralFieldName name: String) -> NSNumber? { number("General", name) }

    /// The name of a link's or notification's parameter.
    public func fieldName(forParam name: String) -> String? { text("ParamFieldNames", name) }

    /// The name of an event's attribute.
    public func fieldName(forUBF name: String) -> String? { text("UBFFieldNames", name) }

    /// A setting of the group `Session`.
    public func config(forSessionValue name: String) -> String? { text("Session", name) }

    /// A setting of the group `Session`, in seconds.
    public func longConfig(forSessionValue name: String) -> Int? {
        config(forSessionValue: name).flatMap { Expiration($0)?.duration }.map { Int($0.components.seconds) }
    }

    /// A setting of the group `Networking`.
    public func config(forNetworkValue name: String) -> NSNumber? { number("Networking", name) }

    /// A setting of the group `LocationServices`.
    public func config(forLocationFieldName name: String) -> String? { text("LocationServices", name) }

    /// A setting of the group `LocalEventStore`.
    public func numberConfig(forLocalStoreFieldName name: String) -> NSNumber? {
        number("LocalEventStore", name)
    }

    /// A setting of the group `Augmentation`.
    public func config(forAugmentationServiceFieldName name: String) -> String? { text("Augmentation", name) }

    /// Whether events get a place.
    public func locationServicesEnabled() -> Bool { settings.location.isEnabled }

    /// The entries of the app's list that are invalid, each as `Group->key`; they have their defaults.
    public var problems: [String] { settings.problems }

    /// The list of requests that name none; `nil` while nobody filled it in.
    var listID: String? {
        let list = settings.databaseListID
        return list.isEmpty || list == BehaviorSettings().databaseListID ? nil : list
    }

    private func text(_ group: String, _ key: String) -> String? {
        switch settings.table[group, key] {
        case .string(let text)?: text
        case .integer(let number)?: String(number)
        case .number(let number)?: number.decimalText
        case .bool(let flag)?: flag ? "YES" : "NO"
        default: nil
        }
    }

    private func number(_ group: String, _ key: String) -> NSNumber? {
        settings.table[group, key].flatMap(Self.plain) as? NSNumber
            ?? text(group, key).flatMap(Self.decimal)
    }

    private static func decimal(_ text: String) -> NSNumber? {
        let typed = try? TypedNumber(text, .exponent)
        return typed?.integer.map { NSNumber(value: $0) } ?? typed?.double.map { NSNumber(value: $0) }
    }

    private static func plain(_ value: JSONValue) -> Any? {
        switch value {
        case .string(let text): text
        case .integer(let number): NSNumber(value: number)
        case .number(let number): NSNumber(value: number)
        case .bool(let flag): NSNumber(value: flag)
        default: nil
        }
    }
}
