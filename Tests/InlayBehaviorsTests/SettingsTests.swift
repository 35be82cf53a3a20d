import Foundation
import InlayBehaviors
@_spi(Inlay) import InlayWire
import Testing

@Suite struct SettingsTests {
    static let documented: [(String, JSONValue)] = [
        ("LocalEventStore->expireLocalEventsAfterNumDays", 30), ("General->databaseListId", "{YOUR_LIST_ID}"),
        ("General->ubfEventCacheSize", 3), ("General->defaultCurrentCampaignExpiration", "1 day"),
        ("ParamFieldNames->ParamCampaignValidFor", "CampaignValidFor"),
        ("ParamFieldNames->ParamCampaignExpiresAt", "CampaignExpiresAt"),
        ("ParamFieldNames->ParamCurrentCampaign", "CurrentCampaign"),
        ("ParamFieldNames->ParamCallToAction", "CallToAction"),
        ("Session->sessionLifecycleExpiration", "30 minutes"), ("Networking->maxNumRetries", 3),
        ("UBFFieldNames->UBFSessionDurationFieldName", "Session Duration"),
        ("UBFFieldNames->UBFTagsFieldName", "Tags"),
        ("UBFFieldNames->UBFDisplayedMessageFieldName", "Displayed Message"),
        ("UBFFieldNames->UBFCallToActionFieldName", "Call To Action"),
        ("UBFFieldNames->UBFEventNameFieldName", "Event Name"),
        ("UBFFieldNames->UBFGoalNameFieldName", "Goal Name"),
        ("UBFFieldNames->UBFCurrentCampaignFieldName", "Campaign Name"),
        ("UBFFieldNames->UBFLastCampaignFieldName", "Last Campaign"),
        ("UBFFieldNames->UBFLocationAddressFieldName", "Location Address"),
        ("UBFFieldNames->UBFLocationNameFieldName", "Location Name"),
        ("UBFFieldNames->UBFLatitudeFieldName", "Latitude"),
        ("UBFFieldNames->UBFLongitudeFieldName", "Longitude"),
        ("LocationServices->lastKnownLocationDateFormat", "yyyy'-'MM'-'dd"),
        ("LocationServices->lastKnownLocationTimestampColumn", "Last Location Address Time"),
        ("LocationServices->lastKnownLocationColumn", "Last Location Address"),
        ("LocationServices->locationDistanceFilter", 10),
        ("LocationServices->locationPrecisionLevel", "kCLLocationAccuracyBest"),
        ("LocationServices->locationCacheLifespan", "1 hr"),
        ("LocationServices->coordinatesPlacemarkTimeout", "15 sec"),
        ("LocationServices->coordinatesAcquisitionTimeout", "15 sec"),
        ("LocationServices->enabled", true), ("Augmentation->augmentationTimeout", "15 sec"),
    ]

    static func list(_ groups: [String: [String: JSONValue]]) throws -> Data {
        try SettingsTable(groups).propertyList()
    }

    @Test func `the default list has every documented value and no other`() throws {
        let shipped = try SettingsTable(propertyList: SettingsTable.defaults.propertyList())
        #expect(shipped == .defaults)
        for (name, value) in Self.documented { #expect(shipped[name] == value, "\(name)") }
        #expect(shipped.groups.values.reduce(0) { $0 + $1.count } == Self.documented.count)
    }

    @Test func `without a list of the app every value is the documented one`() throws {
        let settings = try BehaviorSettings(propertyList: nil)
        #expect(settings == BehaviorSettings())
        #expect(settings.eventLifespan == .seconds(30 * 86_400))
        #expect(settings.eventCacheSize == 3)
        #expect(settings.maximumRetries == 3)
        #expect(settings.campaignExpiration == .seconds(86_400))
        #expect(settings.sessionExpiration == .seconds(1800))
        #expect(settings.augmentationTimeout == .seconds(15))
        #expect(settings.location.cacheLifespan == .seconds(3600))
        #expect(settings.location.distanceFilter == 10)
        #expect(settings.location.isEnabled)
        #expect(settings.problems.isEmpty)
        // The types' own defaults are those of the table.
        #expect(BehaviorSettings(SettingsTable.defaults) == BehaviorSettings())
    }

    @Test func `the app's list wins value by value, and what it leaves out keeps its default`() throws {
        let settings = try BehaviorSettings(propertyList: Self.list(["General": ["ubfEventCacheSize": 7]]))
        #expect(settings.eventCacheSize == 7)
        #expect(settings.campaignExpiration == .seconds(86_400))
        #expect(settings.table["General->defaultCurrentCampaignExpiration"] == "1 day")
        #expect(settings.table["General->ubfEventCacheSize"] == 7)
        #expect(settings.databaseListID == "{YOUR_LIST_ID}")
    }

    @Test func `a copy of the default list with one value changed differs in that value only`() throws {
        var copy = try SettingsTable(propertyList: SettingsTable.defaults.propertyList())
        copy["Networking", "maxNumRetries"] = 9
        let settings = try BehaviorSettings(propertyList: copy.propertyList())
        var expected = SettingsTable.defaults.groups
        expected["Networking"] = ["maxNumRetries": 9]
        #expect(settings.table == SettingsTable(expected))
        #expect(settings.maximumRetries == 9)
    }

    @Test func `each setting of the table changes only its own value`() throws {
        let names = [
            "SessionDuration", "Tags", "DisplayedMessage", "CallToAction", "EventName", "GoalName",
            "CurrentCampaign", "LastCampaign", "LocationAddress", "LocationName", "Latitude", "Longitude",
        ]
        let fields = names.map { ("UBF\($0)FieldName", JSONValue.string("field \($0)")) }
        let list = try Self.list([
            "LocalEventStore": ["expireLocalEventsAfterNumDays": 2],
            "General": [
                "databaseListId": "7", "ubfEventCacheSize": 4, "defaultCurrentCampaignExpiration": "3 days",
            ],
            "ParamFieldNames": [
                "ParamCampaignValidFor": "valid", "ParamCampaignExpiresAt": "expires",
                "ParamCurrentCampaign": "current", "ParamCallToAction": "call",
            ],
            "Session": ["sessionLifecycleExpiration": "1 hour"], "Networking": ["maxNumRetries": 5],
            "UBFFieldNames": Dictionary(fields) { $1 },
            "LocationServices": [
                "lastKnownLocationDateFormat": "dd", "lastKnownLocationTimestampColumn": "When",
                "lastKnownLocationColumn": "Where", "locationDistanceFilter": 6,
                "locationPrecisionLevel": "coarse", "locationCacheLifespan": "7 m",
                "coordinatesPlacemarkTimeout": "8 s", "coordinatesAcquisitionTimeout": "9 s",
                "enabled": false,
            ],
            "Augmentation": ["augmentationTimeout": "10 s"],
        ])
        let read = try BehaviorSettings(propertyList: list)
        let given = try SettingsTable(propertyList: list).groups
        #expect(given.values.reduce(0) { $0 + $1.count } == Self.documented.count)
        #expect(read.problems.isEmpty)
        #expect(read.eventLifespan == .seconds(2 * 86_400) && read.databaseListID == "7")
        #expect(read.eventCacheSize == 4 && read.campaignExpiration == .seconds(3 * 86_400))
        #expect(read.sessionExpiration == .seconds(3600) && read.maximumRetries == 5)
        #expect(read.augmentationTimeout == .seconds(10))
        var parameters = BehaviorSettings().parameters
        (parameters.campaignValidFor, parameters.campaignExpiresAt) = ("valid", "expires")
        (parameters.currentCampaign, parameters.callToAction) = ("current", "call")
        #expect(read.parameters == parameters)
        let field = read.fields
        #expect(
            [
                field.sessionDuration, field.tags, field.displayedMessage, field.callToAction,
                field.eventName,
                field.goalName, field.currentCampaign, field.lastCampaign, field.locationAddress,
                field.locationName, field.latitude, field.longitude,
            ] == names.map { "field \($0)" })
        var location = BehaviorSettings().location
        (location.isEnabled, location.distanceFilter, location.precisionLevel) = (false, 6, "coarse")
        (location.cacheLifespan, location.placemarkTimeout) = (.seconds(420), .seconds(8))
        (location.acquisitionTimeout, location.lastKnownDateFormat) = (.seconds(9), "dd")
        (location.lastKnownTimestampColumn, location.lastKnownColumn) = ("When", "Where")
        #expect(read.location == location)
    }

    @Test func `a name that no list has is nil, not an error`() {
        let table = BehaviorSettings().table
        #expect(table["General->noSuchKey"] == nil)
        #expect(table["NoSuchGroup->x"] == nil)
        #expect(table["nonsense"] == nil)
    }

    @Test(arguments: [JSONValue.integer(30), "30", "30 days", .number(30)])
    func `thirty days may be written as a number or as a time`(value: JSONValue) throws {
        let list = try Self.list(["LocalEventStore": ["expireLocalEventsAfterNumDays": value]])
        #expect(try BehaviorSettings(propertyList: list).eventLifespan == .seconds(30 * 86_400))
    }

    @Test func `values of other types are converted when they are unambiguous`() throws {
        let settings = try BehaviorSettings(
            propertyList: Self.list([
                "General": ["ubfEventCacheSize": "5", "databaseListId": "45654"],
                "LocationServices": ["enabled": "NO", "locationDistanceFilter": "2.5"],
                "Session": ["sessionLifecycleExpiration": "5 minutes"],
            ]))
        #expect(settings.eventCacheSize == 5)
        #expect(settings.databaseListID == "45654")
        #expect(!settings.location.isEnabled)
        #expect(settings.location.distanceFilter == 2.5)
        #expect(settings.sessionExpiration == .seconds(300))
    }

    @Test(arguments: ["0x10", "inf", "nan", "1,5", "1٢", "0x1p4"])
    func `a number that is not decimal is reported, and its default is used`(
        typed: String
    ) throws {
        let settings = try BehaviorSettings(
            propertyList: Self.list(["LocationServices": ["locationDistanceFilter": .string(typed)]]))
        #expect(settings.problems == ["LocationServices->locationDistanceFilter"])
        #expect(settings.location.distanceFilter == BehaviorSettings().location.distanceFilter)
    }

    @Test func `an invalid value is reported, and its default is used`() throws {
        let settings = try BehaviorSettings(
            propertyList: Self.list([
                "General": ["ubfEventCacheSize": 0, "defaultCurrentCampaignExpiration": "soon"],
                "Networking": ["maxNumRetries": -1], "LocationServices": ["enabled": "perhaps"],
                "UBFFieldNames": ["UBFTagsFieldName": ""],
            ]))
        #expect(
            settings.problems == [
                "General->defaultCurrentCampaignExpiration", "General->ubfEventCacheSize",
                "LocationServices->enabled", "Networking->maxNumRetries", "UBFFieldNames->UBFTagsFieldName",
            ])
        #expect(settings.eventCacheSize == 3)
        #expect(settings.maximumRetries == 3)
        #expect(settings.location.isEnabled)
        #expect(settings.fields.tags == "Tags")
    }

    @Test(arguments: ["", "{", "<plist><array/></plist>", "[1, 2]"])
    func `data that is not a property list of groups is an error`(text: String) {
        #expect(throws: BehaviorSettings.Unreadable.self) {
            try BehaviorSettings(propertyList: Data(text.utf8))
        }
    }
}
