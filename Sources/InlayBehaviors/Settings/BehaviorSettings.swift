public import Foundation
@_spi(Inlay) import InlayWire

/// The settings as the types that they mean. Each property's default is the documented one.
public struct BehaviorSettings: Hashable, Sendable {
    /// The names that automatic attributes have on the wire.
    public struct FieldNames: Hashable, Sendable {
        /// The active seconds of a session that ended.
        public var sessionDuration = "Session Duration"
        /// The tags, joined with ",".
        public var tags = "Tags"
        /// The name of the field for a notification's text.
        public var displayedMessage = "Displayed Message"
        /// The name of the field for a notification's action.
        public var callToAction = "Call To Action"
        /// The name of a named event.
        public var eventName = "Event Name"
        /// The name of a goal.
        public var goalName = "Goal Name"
        /// The campaign that is current.
        public var currentCampaign = "Campaign Name"
        /// The campaign before that.
        public var lastCampaign = "Last Campaign"
        /// The address of the place.
        public var locationAddress = "Location Address"
        /// The name of the place.
        public var locationName = "Location Name"
        /// Degrees north.
        public var latitude = "Latitude"
        /// Degrees east.
        public var longitude = "Longitude"
    }

    /// The names of parameters in links and notifications that mean something.
    public struct ParameterNames: Hashable, Sendable {
        /// The name of the parameter for the validity of a campaign, in the expiration language.
        public var campaignValidFor = "CampaignValidFor"
        /// The end of the campaign.
        public var campaignExpiresAt = "CampaignExpiresAt"
        /// The campaign that begins.
        public var currentCampaign = "CurrentCampaign"
        /// The name of the parameter for a notification's action.
        public var callToAction = "CallToAction"
        /// Unix seconds; this name is fixed, no setting changes it.
        public let campaignEndTimeStamp = "CampaignEndTimeStamp"
    }

    /// The settings for places.
    public struct Location: Hashable, Sendable {
        /// Whether events get a place at all.
        public var isEnabled = true
        /// Metres that a place must be away from the one reported last to be reported.
        public var distanceFilter = 10.0
        /// The wanted accuracy, by the name of the system's constant.
        public var precisionLevel = "kCLLocationAccuracyBest"
        /// A fix older than this is asked for again.
        public var cacheLifespan = Duration.seconds(3600)
        /// The time for coordinates.
        public var acquisitionTimeout = Duration.seconds(15)
        /// The time for address and name.
        public var placemarkTimeout = Duration.seconds(15)
        /// The date format of the last known place in the contact database.
        public var lastKnownDateFormat = "yyyy'-'MM'-'dd"
        /// The contact column of the last known place's time.
        public var lastKnownTimestampColumn = "Last Location Address Time"
        /// The contact column of the last known place.
        public var lastKnownColumn = "Last Location Address"

        /// The defaults of EngageSDK.
        public init() {}
    }

    /// Posted and failed events are purged after this time.
    public var eventLifespan = Duration.seconds(30 * 86_400)
    /// The contact list of requests that name none.
    public var databaseListID = "{YOUR_LIST_ID}"
    /// So many waiting events are sent without being asked.
    public var eventCacheSize = 3
    /// The life of a campaign that says nothing of it.
    public var campaignExpiration = Duration.seconds(86_400)
    /// The names of parameters.
    public var parameters = ParameterNames()
    /// A session ends when the app was left for this long.
    public var sessionExpiration = Duration.seconds(1800)
    /// Tries after the first before an event is marked as failed; 0 never gives up.
    public var maximumRetries = 3
    /// The names of attributes.
    public var fields = FieldNames()
    /// The settings for places.
    public var location = Location()
    /// The time for all plug-ins together, per event.
    public var augmentationTimeout = Duration.seconds(15)
    /// The table that the settings were read from, with all values that have no property here.
    package private(set) var table = SettingsTable.defaults
    /// Values that could not mean anything, each as `Group->key`; their defaults hold.
    public private(set) var problems: [String] = []

    /// The documented defaults.
    public init() {}

    /// The defaults with the app's table over them.
    package init(_ app: SettingsTable) {
        table = .defaults.merging(app)
        var reader = SettingsReader(table)
        readTimes(&reader)
        readParameters(&reader)
        readFields(&reader)
        readLocation(&reader)
        databaseListID = reader.text("General", "databaseListId") ?? databaseListID
        eventCacheSize = reader.count("General", "ubfEventCacheSize", from: 1) ?? eventCacheSize
        maximumRetries = reader.count("Networking", "maxNumRetries", from: 0) ?? maximumRetries
        problems = reader.problems.sorted()
    }

    /// The defaults with the app's property list over them; `nil` when the app has none.
    ///
    /// - Throws: `BehaviorSettings.Unreadable` when there is a list that cannot be read.
    public init(propertyList: Data?) throws(BehaviorSettings.Unreadable) {
        guard let propertyList else {
            self.init()
            return
        }
        self.init(try SettingsTable(propertyList: propertyList))
    }

    private mutating func readTimes(_ reader: inout SettingsReader) {
        eventLifespan = reader.days("LocalEventStore", "expireLocalEventsAfterNumDays") ?? eventLifespan
        campaignExpiration =
            reader.duration("General", "defaultCurrentCampaignExpiration") ?? campaignExpiration
        sessionExpiration = reader.duration("Session", "sessionLifecycleExpiration") ?? sessionExpiration
        augmentationTimeout = reader.duration("Augmentation", "augmentationTimeout") ?? augmentationTimeout
    }

    private mutating func readParameters(_ reader: inout SettingsReader) {
        let names: [(WritableKeyPath<ParameterNames, String>, String)] = [
            (\.campaignValidFor, "ParamCampaignValidFor"), (\.campaignExpiresAt, "ParamCampaignExpiresAt"),
            (\.currentCampaign, "ParamCurrentCampaign"), (\.callToAction, "ParamCallToAction"),
        ]
        for (path, key) in names {
            if let name = reader.name("ParamFieldNames", key) { parameters[keyPath: path] = name }
        }
    }

    private mutating func readFields(_ reader: inout SettingsReader) {
        let names: [(WritableKeyPath<FieldNames, String>, String)] = [
            (\.sessionDuration, "SessionDuration"), (\.tags, "Tags"),
            (\.displayedMessage, "DisplayedMessage"),
            (\.callToAction, "CallToAction"), (\.eventName, "EventName"), (\.goalName, "GoalName"),
            (\.currentCampaign, "CurrentCampaign"), (\.lastCampaign, "LastCampaign"),
            (\.locationAddress, "LocationAddress"), (\.locationName, "LocationName"),
            (\.latitude, "Latitude"), (\.longitude, "Longitude"),
        ]
        for (path, key) in names {
            if let name = reader.name("UBFFieldNames", "UBF\(key)FieldName") { fields[keyPath: path] = name }
        }
    }

    private mutating func readLocation(_ reader: inout SettingsReader) {
        let group = "LocationServices"
        location.isEnabled = reader.flag(group, "enabled") ?? location.isEnabled
        location.distanceFilter = reader.number(group, "locationDistanceFilter") ?? location.distanceFilter
        location.precisionLevel = reader.name(group, "locationPrecisionLevel") ?? location.precisionLevel
        location.cacheLifespan = reader.duration(group, "locationCacheLifespan") ?? location.cacheLifespan
        location.acquisitionTimeout =
            reader.duration(group, "coordinatesAcquisitionTimeout") ?? location.acquisitionTimeout
        location.placemarkTimeout =
            reader.duration(group, "coordinatesPlacemarkTimeout") ?? location.placemarkTimeout
        location.lastKnownDateFormat =
            reader.name(group, "lastKnownLocationDateFormat") ?? location.lastKnownDateFormat
        location.lastKnownTimestampColumn =
            reader.name(group, "lastKnownLocationTimestampColumn") ?? location.lastKnownTimestampColumn
        location.lastKnownColumn = reader.name(group, "lastKnownLocationColumn") ?? location.lastKnownColumn
    }
}
