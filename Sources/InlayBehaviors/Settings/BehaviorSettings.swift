public import Foundation
@_spi(Inlay) import InlayWire

/// The settings of behaviors. Each property's default is the one that EngageSDK documents.
public struct BehaviorSettings: Hashable, Sendable {
    /// The names of the automatic attributes in the events that are sent.
    public struct FieldNames: Hashable, Sendable {
        /// The name of the field for the active seconds of a session that ended.
        public var sessionDuration = "Session Duration"
        /// The name of the field for the tags, joined with ",".
        public var tags = "Tags"
        /// The name of the field for a notification's text.
        public var displayedMessage = "Displayed Message"
        /// The name of the field for a notification's action.
        public var callToAction = "Call To Action"
        /// The name of the field for the name of a named event.
        public var eventName = "Event Name"
        /// The name of the field for the name of a goal.
        public var goalName = "Goal Name"
        /// The name of the field for the current campaign.
        public var currentCampaign = "Campaign Name"
        /// The name of the field for the campaign before the current one.
        public var lastCampaign = "Last Campaign"
        /// The name of the field for the address of the place.
        public var locationAddress = "Location Address"
        /// The name of the field for the name of the place.
        public var locationName = "Location Name"
        /// The name of the field for the degrees north.
        public var latitude = "Latitude"
        /// The name of the field for the degrees east.
        public var longitude = "Longitude"
    }

    /// The names of the parameters in links and notifications that the SDK reads.
    public struct ParameterNames: Hashable, Sendable {
        /// The name of the parameter for the validity of a campaign, in the expiration language.
        public var campaignValidFor = "CampaignValidFor"
        /// The name of the parameter for the end of a campaign, a date or a duration from now.
        public var campaignExpiresAt = "CampaignExpiresAt"
        /// The name of the parameter for the campaign that begins.
        public var currentCampaign = "CurrentCampaign"
        /// The name of the parameter for a notification's action.
        public var callToAction = "CallToAction"
        /// The name of the parameter for the end of a campaign in Unix seconds. No setting changes this name.
        public let campaignEndTimeStamp = "CampaignEndTimeStamp"
    }

    /// The settings of the location.
    public struct Location: Hashable, Sendable {
        /// Whether a location is added to events.
        public var isEnabled = true
        /// The minimum distance of a reported fix from the last reported one, in metres.
        public var distanceFilter = 10.0
        /// The wanted accuracy, by the name of the system's constant.
        public var precisionLevel = "kCLLocationAccuracyBest"
        /// The maximum age of a fix; an older one is requested again.
        public var cacheLifespan = Duration.seconds(3600)
        /// The maximum time to get coordinates.
        public var acquisitionTimeout = Duration.seconds(15)
        /// The maximum time to get the address and the name of a place.
        public var placemarkTimeout = Duration.seconds(15)
        /// The date format of the last known place in the contact database.
        public var lastKnownDateFormat = "yyyy'-'MM'-'dd"
        /// The contact column of the last known place's time.
        public var lastKnownTimestampColumn = "Last Location Address Time"
        /// The contact column of the last known place.
        public var lastKnownColumn = "Last Location Address"

        /// Creates the settings with the defaults of EngageSDK.
        public init() {}
    }

    /// The time after which posted and failed events are purged.
    public var eventLifespan = Duration.seconds(30 * 86_400)
    /// The id of the contact list for requests that name none.
    public var databaseListID = "{YOUR_LIST_ID}"
    /// The number of waiting events at which they are sent without a flush.
    public var eventCacheSize = 3
    /// The lifetime of a campaign whose parameters state no end.
    public var campaignExpiration = Duration.seconds(86_400)
    /// The names of parameters.
    public var parameters = ParameterNames()
    /// The time in the background after which a session ends.
    public var sessionExpiration = Duration.seconds(1800)
    /// The number of tries after the first before an event is marked as failed; 0 means no limit.
    public var maximumRetries = 3
    /// The names of attributes.
    public var fields = FieldNames()
    /// The settings of the location.
    public var location = Location()
    /// The maximum time for all plug-ins together, per event.
    public var augmentationTimeout = Duration.seconds(15)
    /// The table that the settings were read from, with all values that have no property here.
    package private(set) var table = SettingsTable.defaults
    /// The values that could not be read, each as `Group->key`. Their defaults are used.
    public private(set) var problems: [String] = []

    /// The documented defaults.
    public init() {}

    /// Creates the settings of the app's table, with the defaults for missing values.
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

    /// Creates the settings of the app's property list, with the defaults for missing values. Without a list, all are
    /// defaults.
    ///
    /// - Throws: `BehaviorSettings.Unreadable` when the list cannot be read.
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
