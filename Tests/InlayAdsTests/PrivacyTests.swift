import Foundation
@_spi(Inlay) import InlayAds
import Testing

/// The module's privacy manifest.
@Suite struct PrivacyTests {
    @Test func `the privacy manifest is shipped, parses, and has the parts that reviewers read`() throws {
        let url = try #require(AdPrivacy.manifest)
        let list = try PropertyListSerialization.propertyList(from: Data(contentsOf: url), format: nil)
        let entries = try #require(list as? [String: Any])
        #expect(
            Set(entries.keys) == [
                "NSPrivacyTracking", "NSPrivacyTrackingDomains", "NSPrivacyCollectedDataTypes",
                "NSPrivacyAccessedAPITypes",
            ])
        let collected = try #require(entries["NSPrivacyCollectedDataTypes"] as? [[String: Any]])
        let types = collected.compactMap { $0["NSPrivacyCollectedDataType"] as? String }
        #expect(types.contains("NSPrivacyCollectedDataTypeDeviceID"))
        // The advertising id goes to bidders, which is tracking as Apple uses the word.
        #expect(entries["NSPrivacyTracking"] as? Bool == true)
        #expect(types.contains("NSPrivacyCollectedDataTypePreciseLocation"))
        for entry in collected {
            #expect((entry["NSPrivacyCollectedDataTypePurposes"] as? [String])?.isEmpty == false)
            #expect(entry["NSPrivacyCollectedDataTypeLinked"] is Bool)
            #expect(entry["NSPrivacyCollectedDataTypeTracking"] is Bool)
        }
        // The consent strings are read from the user defaults, which needs a reason.
        let accessed = try #require(entries["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
        #expect(
            accessed.first?["NSPrivacyAccessedAPIType"] as? String
                == "NSPrivacyAccessedAPICategoryUserDefaults")
        #expect(accessed.first?["NSPrivacyAccessedAPITypeReasons"] as? [String] == ["CA92.1"])
    }
}
