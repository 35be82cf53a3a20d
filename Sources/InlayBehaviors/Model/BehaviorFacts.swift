/// The facts of the device for the core attributes of every event.
public struct DeviceFacts: Hashable, Sendable {
    /// `Device Name`: what the device is called in a shop, for example `iPhone`.
    public var name: String
    /// `Device Version`: the exact model, for example `iPhone15,2`.
    public var version: String
    /// `OS Name`.
    public var osName: String
    /// `OS Version`.
    public var osVersion: String
    /// `Device Id`; `nil` takes a random id that is made once per installation and kept.
    public var id: String?

    /// Facts that the app knows better than the SDK. `current` has those of this device.
    public init(name: String, version: String, osName: String, osVersion: String, id: String? = nil) {
        self.name = name
        self.version = version
        self.osName = osName
        self.osVersion = osVersion
        self.id = id
    }
}

/// The facts of the app for the core attributes of every event.
public struct AppFacts: Hashable, Sendable {
    /// `App Name`.
    public var name: String
    /// `App Version`.
    public var version: String

    /// The name and version of an app that has none.
    public static let unknown = "__UNKNOWN__"

    /// Facts that the app knows better than its bundle. Empty texts become `__UNKNOWN__`.
    public init(name: String, version: String) {
        self.name = name.isEmpty ? Self.unknown : name
        self.version = version.isEmpty ? Self.unknown : version
    }
}

/// The identity in the core attributes of every event. Empty means that the user is unknown.
public struct BehaviorIdentity: Codable, Hashable, Sendable {
    /// `Primary User Id`.
    public var primaryUserID: String
    /// `Anonymous Id`.
    public var anonymousID: String
    /// `Recipient Id`.
    public var recipientID: String
    /// The contact id of the events, which is not an attribute; when empty, the server sets it.
    public var contactID: String

    /// An identity; what is not known stays empty and is left out of events.
    public init(
        primaryUserID: String = "", anonymousID: String = "", recipientID: String = "", contactID: String = ""
    ) {
        self.primaryUserID = primaryUserID
        self.anonymousID = anonymousID
        self.recipientID = recipientID
        self.contactID = contactID
    }
}
