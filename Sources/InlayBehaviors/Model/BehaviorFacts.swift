/// The facts of the device for the core attributes of every event.
public struct DeviceFacts: Hashable, Sendable {
    /// The value of `Device Name`: the product name, for example `iPhone`.
    public var name: String
    /// The value of `Device Version`: the exact model, for example `iPhone15,2`.
    public var version: String
    /// The value of `OS Name`.
    public var osName: String
    /// The value of `OS Version`.
    public var osVersion: String
    /// The value of `Device Id`; `nil` stands for a random id that is stored once per installation.
    public var id: String?

    /// Facts from the app. `current` has the facts of this device.
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
    /// The value of `App Name`.
    public var name: String
    /// The value of `App Version`.
    public var version: String

    /// The name and the version of an app without them.
    public static let unknown = "__UNKNOWN__"

    /// Facts from the app. Empty texts become `__UNKNOWN__`.
    public init(name: String, version: String) {
        self.name = name.isEmpty ? Self.unknown : name
        self.version = version.isEmpty ? Self.unknown : version
    }
}

/// The identity in the core attributes of every event. Empty means that the user is unknown.
public struct BehaviorIdentity: Codable, Hashable, Sendable {
    /// The value of `Primary User Id`.
    public var primaryUserID: String
    /// The value of `Anonymous Id`.
    public var anonymousID: String
    /// The value of `Recipient Id`.
    public var recipientID: String
    /// The contact id of the events, which is not an attribute; when empty, the server sets it.
    public var contactID: String

    /// An identity; empty values are left out of events.
    public init(
        primaryUserID: String = "", anonymousID: String = "", recipientID: String = "", contactID: String = ""
    ) {
        self.primaryUserID = primaryUserID
        self.anonymousID = anonymousID
        self.recipientID = recipientID
        self.contactID = contactID
    }

    /// Whether the user is known by a primary id.
    var isKnown: Bool { !primaryUserID.isEmpty }
}
