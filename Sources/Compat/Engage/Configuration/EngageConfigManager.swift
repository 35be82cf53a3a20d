public import Foundation
internal import InlayBehaviors
@_spi(Inlay) import InlayWire

/// EngageSDK's access to the settings: the defaults, overridden by `EngageConfig.plist`.
///
/// The settings are read once in the lifetime of the process. The constants `PLIST_…` name the fields; a field that
/// neither the defaults nor the file contain is `nil`.
public final class EngageConfigManager: NSObject, Sendable {
    private let settings: BehaviorSettings

    private init(_ settings: BehaviorSettings) { self.settings = settings }

    /// Returns an object with the settings of this process.
    public static func sharedInstance() -> EngageConfigManager {
        EngageConfigManager(EngageRuntime.shared.settings)
    }

    /// The contents of an `EngageConfig.plist` with every default.
    public static var defaultsPropertyList: Data {
        get throws { try SettingsTable.defaults.propertyList() }
    }

    /// Returns the value of a setting by its documented name, for example `General->ubfEventCacheSize`.
    public func config(forName name: String) -> Any? { settings.table[name].flatMap(Self.plain) }

    /// Returns a setting of the group `General`.
    public func config(forGeneralFieldName name: String) -> String? { text("General", name) }

    /// Returns a setting of the group `General` as a number; `nil` when it is not a number.
    public func numberConfig(forGeneralFieldName name: String) -> NSNumber? { number("General", name) }

    /// Returns the name of a parameter of links and notifications.
    public func fieldName(forParam name: String) -> String? { text("ParamFieldNames", name) }

    /// Returns the name of an attribute of events.
    public func fieldName(forUBF name: String) -> String? { text("UBFFieldNames", name) }

    /// Returns a setting of the group `Session`.
    public func config(forSessionValue name: String) -> String? { text("Session", name) }

    /// Returns a duration of the group `Session` in seconds.
    public func longConfig(forSessionValue name: String) -> Int? {
        config(forSessionValue: name).flatMap { Expiration($0)?.duration }.map { Int($0.components.seconds) }
    }

    /// Returns a setting of the group `Networking` as a number.
    public func config(forNetworkValue name: String) -> NSNumber? { number("Networking", name) }

    /// Returns a setting of the group `LocationServices`.
    public func config(forLocationFieldName name: String) -> String? { text("LocationServices", name) }

    /// Returns a setting of the group `LocalEventStore` as a number.
    public func numberConfig(forLocalStoreFieldName name: String) -> NSNumber? {
        number("LocalEventStore", name)
    }

    /// Returns a setting of the group `Augmentation`.
    public func config(forAugmentationServiceFieldName name: String) -> String? { text("Augmentation", name) }

    /// Whether events get a location.
    public func locationServicesEnabled() -> Bool { settings.location.isEnabled }

    /// The invalid entries of `EngageConfig.plist`, each as `Group->key`; for these the defaults are used.
    public var problems: [String] { settings.problems }

    /// The id of the contact list for requests without a list; `nil` while the setting is empty or has its default.
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
