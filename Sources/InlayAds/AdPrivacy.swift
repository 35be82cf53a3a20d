package import Foundation

/// The privacy manifest that ships with this module.
package enum AdPrivacy {
    /// The address of the manifest; Xcode merges it into the app's report by itself.
    package static var manifest: URL? {
        Bundle.module.url(forResource: "PrivacyInfo", withExtension: "xcprivacy")
    }
}
