public import Foundation

/// The privacy manifest that ships with this module.
public enum AdPrivacy {
    /// Where it is; Xcode merges it into the app's report by itself.
    public static var manifest: URL? {
        Bundle.module.url(forResource: "PrivacyInfo", withExtension: "xcprivacy")
    }
}
