import Foundation
import InlayBehaviors
@_spi(Inlay) import InlayCore
import InlayEngage
@_spi(Inlay) import InlayWire
import Testing

extension EngageTests {
    @MainActor @Suite struct Settings {
        /// All settings in EngageSDK's documentation: the group, the constant of the key, and the default.
        static let table: [(name: String, constant: String, value: String)] = [
            ("LocalEventStore", PLIST_LOCAL_STORE_EVENTS_EXPIRE_AFTER_DAYS, "30"),
            ("General", PLIST_GENERAL_DATABASE_LIST_ID, "{YOUR_LIST_ID}"),
            ("General", PLIST_GENERAL_UBF_EVENT_CACHE_SIZE, "3"),
            ("General", PLIST_GENERAL_DEFAULT_CURRENT_CAMPAIGN_EXPIRATION, "1 day"),
            ("ParamFieldNames", PLIST_PARAM_CAMPAIGN_VALID_FOR, "CampaignValidFor"),
            ("ParamFieldNames", PLIST_PARAM_CAMPAIGN_EXPIRES_AT, "CampaignExpiresAt"),
            ("ParamFieldNames", PLIST_PARAM_CURRENT_CAMPAIGN, "CurrentCampaign"),
            ("ParamFieldNames", PLIST_PARAM_CALL_TO_ACTION, "CallToAction"),
            ("Session", PLIST_SESSION_LIFECYCLE_EXPIRATION, "30 minutes"),
            ("Networking", PLIST_NETWORK_MAX_NUM_RETRIES, "3"),
            ("UBFFieldNames", PLIST_UBF_SESSION_DURATION, "Session Duration"),
            ("UBFFieldNames", PLIST_UBF_TAGS, "Tags"),
            ("UBFFieldNames", PLIST_UBF_DISPLAYED_MESSAGE, "Displayed Message"),
            ("UBFFieldNames", PLIST_UBF_CALL_TO_ACTION, "Call To Action"),
            ("UBFFieldNames", PLIST_UBF_EVENT_NAME, "Event Name"),
            ("UBFFieldNames", PLIST_UBF_GOAL_NAME, "Goal Name"),
            ("UBFFieldNames", PLIST_UBF_CURRENT_CAMPAIGN_NAME, "Campaign Name"),
            ("UBFFieldNames", PLIST_UBF_LAST_CAMPAIGN_NAME, "Last Campaign"),
            ("UBFFieldNames", PLIST_UBF_LOCATION_ADDRESS, "Location Address"),
            ("UBFFieldNames", PLIST_UBF_LOCATION_NAME, "Location Name"),
            ("UBFFieldNames", PLIST_UBF_LATITUDE, "Latitude"),
            ("UBFFieldNames", PLIST_UBF_LONGITUDE, "Longitude"),
            ("LocationServices", PLIST_LOCATION_LAST_KNOWN_LOCATION_TIME_FORMAT, "yyyy'-'MM'-'dd"),
            ("LocationServices", PLIST_LOCATION_LAST_KNOWN_LOCATION_TIME, "Last Location Address Time"),
            ("LocationServices", PLIST_LOCATION_LAST_KNOWN_LOCATION, "Last Location Address"),
            ("LocationServices", PLIST_LOCATION_LOCATION_DISTANCE_FILTER, "10"),
            ("LocationServices", PLIST_LOCATION_LOCATION_PRECISION_LEVEL, "kCLLocationAccuracyBest"),
            ("LocationServices", PLIST_LOCATION_LOCATION_CACHE_LIFESPAN, "1 hr"),
            ("LocationServices", PLIST_LOCATION_COORDINATES_PLACEMARK_TIMEOUT, "15 sec"),
            ("LocationServices", PLIST_LOCATION_COORDINATES_ACQUISITION_TIMEOUT, "15 sec"),
            ("LocationServices", PLIST_LOCATION_ENABLED, "YES"),
            ("Augmentation", PLIST_AUGMENTATION_SERVICE_TIMEOUT, "15 sec"),
        ]

        /// Returns a setting through the manager's method for its group.
        private func setting(_ group: String, _ field: String) -> String? {
            let manager = EngageConfigManager.sharedInstance()
            return switch group {
            case "General": manager.config(forGeneralFieldName: field)
            case "ParamFieldNames": manager.fieldName(forParam: field)
            case "UBFFieldNames": manager.fieldName(forUBF: field)
            case "Session": manager.config(forSessionValue: field)
            case "Networking": manager.config(forNetworkValue: field)?.stringValue
            case "LocationServices": manager.config(forLocationFieldName: field)
            case "LocalEventStore": manager.numberConfig(forLocalStoreFieldName: field)?.stringValue
            case "Augmentation": manager.config(forAugmentationServiceFieldName: field)
            default: nil
            }
        }

        @Test func `without a settings file every documented setting has a constant and its default`()
            throws
        {
            _ = try EngageFixture()
            #expect(Self.table.count == 32)
            for row in Self.table { #expect(setting(row.name, row.constant) == row.value, "\(row)") }
            let shipped = try PropertyListSerialization.propertyList(
                from: EngageConfigManager.defaultsPropertyList, format: nil)
            let groups = try #require(shipped as? [String: [String: Any]])
            for row in Self.table { #expect(groups[row.name]?[row.constant] != nil, "\(row)") }
            #expect(groups.values.reduce(0) { $0 + $1.count } == 32)
            #expect(EngageConfigManager.sharedInstance().locationServicesEnabled())
        }

        @Test func `the manager returns each setting of the app instead of the default`() throws {
            var settings: [String: [String: JSONValue]] = [:]
            for (number, row) in Self.table.enumerated() {
                settings[row.name, default: [:]][row.constant] = .string("\(number)")
            }
            _ = try EngageFixture(settings: settings)
            for (number, row) in Self.table.enumerated() {
                #expect(setting(row.name, row.constant) == "\(number)", "\(row)")
            }
        }

        @Test func `keys that a group of the app's file lacks keep their defaults`() throws {
            _ = try EngageFixture(settings: ["General": ["ubfEventCacheSize": 7]])
            let manager = EngageConfigManager.sharedInstance()
            #expect(manager.numberConfig(forGeneralFieldName: PLIST_GENERAL_UBF_EVENT_CACHE_SIZE) == 7)
            #expect(
                manager.config(forGeneralFieldName: PLIST_GENERAL_DEFAULT_CURRENT_CAMPAIGN_EXPIRATION)
                    == "1 day")
        }

        @Test(
            arguments: [
                ("7", 7), (" ٧ ", 7), ("2.5", 2.5), ("1e3", 1_000),
                ("0x10", nil), ("inf", nil), ("1,5", nil), ("1٢", nil),
            ] as [(String, Double?)])
        func `a text value is read as a decimal number`(text: String, value: Double?) throws {
            _ = try EngageFixture(settings: ["General": ["ubfEventCacheSize": .string(text)]])
            let manager = EngageConfigManager.sharedInstance()
            let number = manager.numberConfig(forGeneralFieldName: PLIST_GENERAL_UBF_EVENT_CACHE_SIZE)
            #expect(number?.doubleValue == value)
        }

        @Test func `a copy of the shipped file with one change differs in that one value`() throws {
            var table = try SettingsTable(propertyList: EngageConfigManager.defaultsPropertyList)
            table["Session", PLIST_SESSION_LIFECYCLE_EXPIRATION] = "5 minutes"
            _ = try EngageFixture(settings: table.groups)
            for row in Self.table {
                let isChanged = row.constant == PLIST_SESSION_LIFECYCLE_EXPIRATION
                #expect(setting(row.name, row.constant) == (isChanged ? "5 minutes" : row.value), "\(row)")
            }
            #expect(
                EngageConfigManager.sharedInstance().longConfig(
                    forSessionValue: PLIST_SESSION_LIFECYCLE_EXPIRATION) == 300)
        }

        @Test func `settings are read once, and stay when the file is removed`() throws {
            let fixture = try EngageFixture()
            let file = fixture.folder.url.appendingPathComponent("EngageConfig.plist")
            try SettingsTable(["General": ["ubfEventCacheSize": 7]]).propertyList().write(to: file)
            var services = EngageRuntime.Services()
            services.folder = fixture.folder.url
            services.settings = { try? Data(contentsOf: file) }
            EngageRuntime.shared.use(services)
            #expect(setting("General", PLIST_GENERAL_UBF_EVENT_CACHE_SIZE) == "7")
            try FileManager.default.removeItem(at: file)
            #expect(setting("General", PLIST_GENERAL_UBF_EVENT_CACHE_SIZE) == "7")
        }

        @Test func `a field that is in neither file is nil`() throws {
            _ = try EngageFixture()
            let manager = EngageConfigManager.sharedInstance()
            #expect(manager.config(forGeneralFieldName: "noSuchKey") == nil)
            #expect(manager.numberConfig(forGeneralFieldName: "noSuchKey") == nil)
            #expect(manager.config(forName: "General->noSuchKey") == nil)
            #expect(manager.config(forName: "NoGroup->key") == nil)
            #expect(manager.config(forName: "General->databaseListId") as? String == "{YOUR_LIST_ID}")
        }

        @Test func `the constants of campaigns have their documented values`() throws {
            _ = try EngageFixture()
            #expect(CURRENT_CAMPAIGN_PARAM_NAME == "CurrentCampaign")
            #expect(
                CURRENT_CAMPAIGN_PARAM_NAME == setting("ParamFieldNames", PLIST_PARAM_CURRENT_CAMPAIGN))
            #expect(CAMPAIGN_EXTERNAL_EXPIRATION_DATETIME_PARAM == "CampaignEndTimeStamp")
        }
    }
}
